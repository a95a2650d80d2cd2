#include "grader/report/clean.h"

#include <algorithm>

#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::size_t kLongestText = 16 << 10, kLongestSentence = 2000, kLongestName = 300;

/// Text of several lines.
void scrub(std::string& text) {
    text = cut(clean(text), kLongestText);
}

/// A message of the grader that may quote text of the student.
void scrub_sentence(std::string& text) {
    text = cut(one_line(text), kLongestSentence);
}

void scrub(std::vector<std::string>& texts) {
    for (std::string& text : texts) scrub(text);
}

/// A name: one line.
void scrub_name(std::string& name) {
    name = cut(clean(name), kLongestName);
    std::replace(name.begin(), name.end(), '\n', '?');
}

void scrub(std::vector<Tensor>& tensors) {
    for (Tensor& tensor : tensors) scrub_name(tensor.name);
}

void scrub(Check& check) {
    for (std::string* name : {&check.id, &check.name, &check.about}) scrub_name(*name);
    scrub_sentence(check.message);
    scrub(check.printed);
    if (check.lines) {
        scrub_sentence(check.lines->what);
        for (SourceLine& line : check.lines->lines)
            for (std::string* text : {&line.file, &line.function, &line.text}) scrub_name(*text);
    }
    scrub_sentence(check.pattern);
    if (check.difference) {
        scrub(check.difference->where);
        scrub_name(check.difference->array);
    }
    if (check.smallest) {
        scrub_name(check.smallest->sizes);
        scrub(check.smallest->inputs);
        scrub(check.smallest->yours);
        scrub(check.smallest->expected);
        scrub(check.smallest->intermediates);
    }
    if (check.diagnosis) {
        scrub(check.diagnosis->mistakes);
        scrub(check.diagnosis->sentence);
        scrub(check.diagnosis->hints);
    }
    if (check.speed) {
        scrub_name(check.speed->sizes);
        scrub_sentence(check.speed->hint);
    }
    scrub(check.inputs);
    for (Picture& picture : check.pictures) {
        scrub_name(picture.array);
        for (auto* words : {&picture.letters, &picture.row_words, &picture.column_words})
            for (std::string& word : *words) scrub_name(word);
        scrub(picture.sentences);
        if (!picture.curve) continue;
        for (Level& level : picture.curve->levels) scrub_name(level.name);
    }
    for (Growth& growth : check.growth) {
        scrub_name(growth.what);
        scrub_name(growth.length);
    }
}

}  // namespace

Check cleaned(Check check) {
    scrub(check);
    return check;
}

Report cleaned(Report report) {
    for (std::string* name : {&report.submission, &report.isolation, &report.next}) scrub_name(*name);
    for (std::string& note : report.notes) scrub_sentence(note);
    for (PathStep& step : report.path) scrub_name(step.title);
    for (Assignment& assignment : report.assignments) {
        for (std::string* name : {&assignment.name, &assignment.title, &assignment.handout})
            scrub_name(*name);
        for (SourceFile& source : assignment.sources) {
            scrub_name(source.name);
            scrub(source.messages);
        }
        for (Part& part : assignment.parts) {
            scrub_name(part.function);
            for (Check& check : part.checks) scrub(check);
        }
    }
    return report;
}

}  // namespace attn::report
