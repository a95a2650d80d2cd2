#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/classes/downloads/download.h"
#include "grader/intake/archive_reader.h"
#include "grader/report/text.h"
#include "grader/worker/interrupt.h"

namespace attn::classes {
namespace {

bool is_fault_of_machine(const std::error_code& code) {
    constexpr std::array kFaults = {ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE};
    return (code.category() == std::generic_category() || code.category() == std::system_category()) &&
           std::ranges::find(kFaults, code.value()) != kFaults.end();
}

}  // namespace

std::string problem_in(const std::function<void()>& step) {
    try {
        step();
        return "";
    } catch (const worker::Interrupted&) {
        throw;
    } catch (const intake::ArchiveDamage&) {
        throw;
    } catch (const UserError& error) {
        return error.what();
    } catch (const std::system_error& error) {
        if (is_fault_of_machine(error.code())) throw;
        return fmt::format("It cannot be read ({}); ask for it in another form, such as a .zip",
                           error.code().message());
    } catch (const std::exception& error) {
        return fmt::format("It cannot be read ({}); ask for it in another form, such as a .zip",
                           report::one_line(error.what()));
    }
}

}  // namespace attn::classes
