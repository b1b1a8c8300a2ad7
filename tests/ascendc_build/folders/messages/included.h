int a;  // clang-format off
int b = k<<<1, 2;
