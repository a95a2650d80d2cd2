#pragma once
/// The tables of a gradebook, and how an older gradebook becomes one of today.

#include <filesystem>
#include <span>

#include "grader/classes/gradebook/database.h"

namespace attn::classes {

/// The steps from an empty file to today's tables. PRAGMA user_version counts the steps that a gradebook has
/// had. A step that was once released is never changed.
std::span<const char* const> gradebook_migrations();

/// Opens the gradebook of a class. With Access::write makes it, or brings it up to date. Throws UserError if
/// a newer grader has written it, or if it is older and may only be read; DatabaseError if it is damaged.
Database open_gradebook(const std::filesystem::path& file, Database::Access access,
                        std::span<const char* const> migrations = gradebook_migrations());

}  // namespace attn::classes
