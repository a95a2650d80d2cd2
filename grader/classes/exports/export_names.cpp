#include <cerrno>
#include <charconv>
#include <cmath>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "grader/base/errors.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {

std::string shown_name(const ClassView& view, const StudentView& student) {
    const Person& person = student.person;
    if (!view.names) return student.pseudonym;
    for (const std::string* one : {&person.name, &person.email, &person.login, &person.key})
        if (!one->empty()) return tidy_name(*one);
    return student.pseudonym;
}

std::string grade_text(double points, char decimal_mark) {
    // Adding 0 turns -0 into 0.
    std::string text = fmt::format("{:.2f}", std::round(points * 100) / 100 + 0.0);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    const std::size_t point = text.find('.');
    if (point != std::string::npos) text[point] = decimal_mark;
    return text;
}

std::optional<double> number_in(std::string_view text) {
    std::string plain(text);
    std::erase(plain, ' ');
    if (const std::size_t comma = plain.find(',');
        comma != std::string::npos && plain.find('.') == std::string::npos)
        plain[comma] = '.';
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

void write_private_file(const std::filesystem::path& file, std::string_view text) {
    const std::string part = file.string() + ".part";
    const auto fail = [&file] {
        throw UserError(fmt::format("{} cannot be written ({}); name another place, or make room",
                                    file.string(), std::generic_category().message(errno)));
    };
    unlink(part.c_str());
    const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) fail();
    bool good = true;
    while (good && !text.empty()) {
        const ssize_t count = write(descriptor, text.data(), text.size());
        good = count >= 0 || errno == EINTR;
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    good = good && fsync(descriptor) == 0;
    const int error = errno;
    close(descriptor);
    errno = error;
    if (good && rename(part.c_str(), file.c_str()) == 0) return;
    const int kept = errno;
    unlink(part.c_str());
    errno = kept;
    fail();
}

}  // namespace attn::classes
