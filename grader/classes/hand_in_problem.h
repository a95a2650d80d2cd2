#pragma once
/// Keeps what goes wrong with one hand-in away from the others.

#include <functional>
#include <string>

namespace attn::classes {

/// What went wrong in `step`, which takes one hand-in: a sentence, empty if nothing did. An exception of any
/// type is a problem of this hand-in alone. Only what concerns all of them is thrown on: an interruption, faults
/// of the machine, such as a full disk, and damage of the archive that holds all hand-ins (ArchiveDamage; that of
/// a student's own archive is a UserError).
std::string problem_in(const std::function<void()>& step);

}  // namespace attn::classes
