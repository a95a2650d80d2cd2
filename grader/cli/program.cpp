#include "grader/cli/program.h"

#include <exception>
#include <iostream>

#include "datasets/file_error.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/report/text.h"
#include "grader/worker/interrupt.h"

namespace attn::cli {
namespace {

/// The text of an error, which may quote a submission's names and its compiler, as a log can hold it.
std::string in_a_log(const std::exception& error) {
    return report::without_commands(report::clean(error.what()));
}

int bad_usage(const std::string& name, const std::exception& error) {
    std::cerr << name << ": " << in_a_log(error) << '\n';
    return kBadUsage;
}

}  // namespace

int run_program(const std::string& name, int argc, char** argv, int (*command)(const Words& words)) {
    worker::install_interrupt_handlers();
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
                  << in_a_log(error) << '\n';
        return kGraderFault;
    }
}

}  // namespace attn::cli
