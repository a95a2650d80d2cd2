#pragma once
/// For tests: a zone of the course that ends with the test.

#include <string>

#include "grader/classes/moments.h"

namespace attn::classes {

class CourseZone {
  public:
    explicit CourseZone(const std::string& zone = "Europe/Berlin") { use_course_zone(zone); }
    ~CourseZone() { use_course_zone(""); }
    CourseZone(const CourseZone&) = delete;
    CourseZone& operator=(const CourseZone&) = delete;
};

}  // namespace attn::classes
