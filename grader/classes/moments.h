#pragma once
/// Moments as text, in the zone of the course.

#include <optional>
#include <string>

#include "grader/classes/records.h"

namespace attn::classes {

/// Makes a named zone such as Europe/Berlin that of the course, for the whole process; empty: the course has none, and
/// moments are shown in UTC. The zone of the machine never counts. Throws UserError for a name that this machine does
/// not know. Call it before there are threads.
void use_course_zone(const std::string& zone);
/// The zone in use; empty if there is none.
const std::string& course_zone();

/// What a clock of the course shows.
struct ClockTime {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

/// The moment at which the course's clocks show this. Of the hour that they show twice in autumn, the first counts.
/// Throws UserError without a zone of the course, and for a time that there is not; `text` is what was read.
Moment moment_of_clock(const ClockTime& clock, const std::string& text);

/// Reads a moment as ISO 8601 writes it: "2026-11-20T23:59:00+01:00", "2026-11-20 22:59:00 UTC", "2026-11-20T22:59Z",
/// or without a zone, "2026-11-20 23:59", if the course has one. Throws UserError for anything else.
Moment read_moment(const std::string& text);

/// "2026-11-20T23:59:00+01:00" in the course's zone, "2026-11-20T22:59:00Z" without one.
std::string moment_text(Moment moment);

/// The same of an attempt; empty if its time is not known.
std::string when_text(const AttemptView& attempt);
/// The same for people; "an unknown time".
std::string when_text(const HandInTime& time);
/// With what says so: "2026-11-20T23:59:00+01:00 (the platform)".
std::string time_in_words(const HandInTime& time);
/// "commit": the name of a source in the gradebook and in files for programs, and back.
const char* name_of(TimeSource by);
TimeSource time_source_named(const std::string& name);
/// What says so, in words: "the last commit", "the platform".
std::string source_in_words(const HandInTime& time);

Moment now();

}  // namespace attn::classes
