#pragma once
/// For tests of the page: runs a headless browser, if this machine has one.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/worker/process.h"

namespace attn::report {

/// A page after its script ran.
struct LoadedPage {
    std::string dom, console;
};

/// The first headless browser in PATH; empty if there is none.
inline std::string find_browser() {
    const char* path = std::getenv("PATH");
    const std::string folders = path == nullptr ? "" : path;
    for (const char* name : {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}) {
        std::istringstream stream(folders);
        for (std::string folder; std::getline(stream, folder, ':');)
            if (const auto file = std::filesystem::path(folder) / name; std::filesystem::exists(file))
                return file.string();
    }
    return "";
}

/// Opens a page in a window of this width. Throws std::runtime_error if the browser fails.
inline LoadedPage load_page(const std::string& page, int width = 1200, const std::string& fragment = "") {
    const data::TemporaryDirectory folder;
    const std::string file = folder.write("page.html", page).string(), log = (folder / "log").string();
    worker::Command command;
    command.argv = {
        "/bin/sh", "-c", R"(log=$1; shift; exec "$@" 2>"$log")", "sh", log, find_browser(),
        // The pages are our own, so no sandbox is needed. (It would need more rights than tests have.)
        "--no-sandbox", "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--enable-logging=stderr", "--user-data-dir=" + (folder / "profile").string(),
        "--window-size=" + std::to_string(width) + ",800", "--dump-dom", "file://" + file + fragment};
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + folder.path().string(),
                           "LC_ALL=C.UTF-8"};
    command.confinement.limits = {0, 0, 0, 0, 0, 0};
    constexpr double kTimeLimit_s = 180;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 64 << 20);
    std::ostringstream console;
    console << std::ifstream(log).rdbuf();
    if (result.timed_out || result.ending.signal != 0 || result.ending.exit_code != 0)
        throw std::runtime_error("the browser failed: " + console.str());
    LoadedPage loaded{result.printed, ""};
    std::istringstream lines(console.str());
    for (std::string line; std::getline(lines, line);)
        if (line.find("CONSOLE") != std::string::npos) loaded.console += line + '\n';
    return loaded;
}

/// Skips a test if no browser can open a page. CTest recognizes the printed line.
inline auto has_browser() {
    return boost::unit_test::precondition([](auto) {
        bool has = false;
        try {
            has = !find_browser().empty() &&
                  load_page("<p>It opens.").dom.find("It opens.") != std::string::npos;
        } catch (const std::runtime_error& error) {
            std::cout << error.what() << '\n';
        }
        if (!has) std::cout << "skipped: no browser that runs without a window (chromium-headless-shell)\n";
        return boost::test_tools::assertion_result(has);
    });
}

/// Evaluates a JavaScript function body after the page's own script, and returns its result. It runs in a
/// copy of the page without the content security policy, which would forbid the extra script.
inline nlohmann::json ask(std::string page, const std::string& expression, int width = 1200) {
    const std::size_t policy = page.find("<meta http-equiv");
    page.erase(policy, page.find('\n', policy) - policy);
    const std::string opening = "<pre id=\"answer\">";
    page.insert(page.rfind("</body>"),
                "<script>{const all = (query, at = document) => [...at.querySelectorAll(query)];\n"
                "const answer = JSON.stringify((() => {" +
                    expression +
                    "})());\n"
                    "const box = document.createElement('pre'); box.id = 'answer';\n"
                    "box.textContent = answer.replace(/[<>&\\u00a0]/g, (c) => '\\\\u' + "
                    "c.charCodeAt(0).toString(16).padStart(4, '0'));\n"
                    "document.body.append(box);}</script>");
    const LoadedPage loaded = load_page(page, width);
    const std::size_t begin = loaded.dom.rfind(opening);
    if (begin == std::string::npos) throw std::runtime_error("the page gave no answer: " + loaded.console);
    const std::size_t first = begin + opening.size();
    return nlohmann::json::parse(loaded.dom.substr(first, loaded.dom.find("</pre>", first) - first));
}

}  // namespace attn::report
