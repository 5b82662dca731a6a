// Wrong on purpose: this folder is not in the order of ../../include_order.cmake.
#pragma once
