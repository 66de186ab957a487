/* The board of hex, for both C programs: which cells lie beside each. */

enum { SIDE = 11, HEX = SIDE * SIDE };

static int near_count[HEX], near[HEX][6];

static void make_near(void) {
    static const int steps[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
    for (int cell = 0; cell < HEX; cell++)
        for (int d = 0; d < 6; d++) {
            int x = cell % SIDE + steps[d][0], y = cell / SIDE + steps[d][1];
            if (x >= 0 && x < SIDE && y >= 0 && y < SIDE) near[cell][near_count[cell]++] = y * SIDE + x;
        }
}
