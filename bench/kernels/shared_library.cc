// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "shared_library.h"

#include <dlfcn.h>
#include <stdexcept>

namespace bench {

SharedLibrary::SharedLibrary(const std::string &name) : name_(name), handle_(dlopen(name.c_str(), RTLD_NOW)) {
    if (handle_ == nullptr) {
        const char *const error = dlerror();
        throw std::runtime_error(error != nullptr ? error : "no " + name);
    }
}

void *SharedLibrary::Address(const char *function) const {
    void *const address = dlsym(handle_, function);
    if (address == nullptr) {
        throw std::runtime_error(name_ + " has no function " + function);
    }
    return address;
}

} // namespace bench
