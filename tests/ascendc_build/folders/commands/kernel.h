#pragma once
#include "kernel_operator.h"
#ifndef ONE
#define ONE 1
#endif
extern "C" __global__ __vector__ void add_one(__gm__ int32_t* x);
int launch_here(void* stream, int32_t* x);
