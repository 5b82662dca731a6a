// Wrong on purpose: prints a name without printable(). See ../../printing.cmake.
#pragma once

#include <iostream>
#include <string>

void show(const std::string& name) {
  std::cout << name;
}
