#include "grader/cli/program.h"

#include <exception>
#include <iostream>

#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/text.h"
#include "grader/worker/interrupt.h"

namespace attn::cli {
namespace {

/// The text of an error, made safe for a log because it may quote a submission or its compiler messages.
std::string safe_text(const std::exception& error) {
    return report::without_commands(report::clean(error.what()));
}

int bad_usage(const std::string& name, const std::exception& error) {
    const std::string text = name + ": " + safe_text(error);
    std::cerr << (is_terminal(STDERR_FILENO) ? report::wrapped_prose(text, terminal_width()) : text) << '\n';
    return kBadUsage;
}

}  // namespace

int run_program(const std::string& name, int argc, char** argv, int (*command)(const Words& words)) {
    worker::install_interrupt_handlers();
    data::remove_abandoned_directories();
    try {
        data::set_shipped_folder(Installation().datasets);
        return command(Words(argv + 1, argv + argc));
    } catch (const worker::Interrupted&) {
        std::cerr << name << ": interrupted; nothing is left behind.\n";
        return kInterrupted;
    } catch (const UserError& error) {
        return bad_usage(name, error);
    } catch (const data::FileError& error) {
        return bad_usage(name, error);
    } catch (const std::exception& error) {
        std::cerr << name << ": a fault of the grader, not of the submission; nothing was graded.\n  "
                  << safe_text(error) << '\n';
        return kGraderFault;
    }
}

}  // namespace attn::cli
