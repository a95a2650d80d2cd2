#pragma once
/// Workflows of GitHub Actions, as text.

#include <regex>
#include <string>
#include <vector>

namespace attn {

/// The actions that a workflow uses, each with what it is pinned to: "actions/checkout", "11bd7190..".
struct UsedAction {
    std::string name, version;

    /// A commit, because a tag can be moved, and the tag as a comment for readers.
    bool is_pinned() const { return std::regex_match(version, std::regex("[0-9a-f]{40}  # v[0-9.]+")); }
};

inline std::vector<UsedAction> used_actions(const std::string& workflow) {
    const std::regex uses("uses: ([A-Za-z0-9_./-]+)@(.*)");
    std::vector<UsedAction> actions;
    for (std::sregex_iterator each(workflow.begin(), workflow.end(), uses), end; each != end; ++each)
        actions.push_back({(*each)[1], (*each)[2]});
    return actions;
}

}  // namespace attn
