int a;
int b = k < < < 1, 2;
