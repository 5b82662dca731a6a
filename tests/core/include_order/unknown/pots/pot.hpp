// In a folder that is not in the order, on purpose: see ../../include_order.cmake.
#pragma once
