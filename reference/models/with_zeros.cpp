#include <algorithm>

#include "reference/models/tasks.h"

namespace attn::training {
namespace {

class WithZeros : public Task {
  public:
    WithZeros(std::unique_ptr<Task> task, std::string name, const std::vector<std::string>& endings)
        : task_(std::move(task)), name_(std::move(name)) {
        for (const Layout::Entry& entry : task_->layout().entries()) {
            const bool is_zero = std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
                return entry.name.ends_with(ending);
            });
            layout_.add(entry.name, entry.shape, is_zero ? kZeros : entry.start, entry.decays);
            if (is_zero) zeros_.push_back(layout_.entries().back());
        }
    }
    std::string name() const override { return name_; }
    Settings settings() const override { return task_->settings(); }
    const Layout& layout() const override { return layout_; }
    double gradients(Modules& modules, Numbers& gradient, const Numbers& theta, Random& random) override {
        const double loss = task_->gradients(modules, gradient, theta, random);
        for (const Layout::Entry& entry : zeros_)
            std::fill_n(gradient.begin() + static_cast<std::ptrdiff_t>(entry.first), entry.count, 0.0F);
        return loss;
    }
    std::vector<Measured> measured(Modules& modules, const Numbers& theta) override {
        return task_->measured(modules, theta);
    }
    void report(Modules& modules, const Numbers& theta, Trained& trained) override {
        task_->report(modules, theta, trained);
    }

  private:
    std::unique_ptr<Task> task_;
    std::string name_;
    Layout layout_;
    std::vector<Layout::Entry> zeros_;
};

}  // namespace

std::unique_ptr<Task> with_zeros(std::unique_ptr<Task> task, const std::string& name,
                                 const std::vector<std::string>& endings) {
    return std::make_unique<WithZeros>(std::move(task), name, endings);
}

}  // namespace attn::training
