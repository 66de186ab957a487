/* The plain algorithm of two games in C: arrays and loops, random play, moves counted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CELLS = 42, MOST_LINES = 16 };

static uint64_t state = 88172645463325252ULL;

static unsigned below(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(((state >> 32) * n) >> 32);
}

static int columns, rows, length, falls;
static int line_count[MOST_CELLS];
static int lines[MOST_CELLS][MOST_LINES][4];

static void make_lines(void) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < rows; y++)
            for (int d = 0; d < 4; d++) {
                int end_x = x + steps[d][0] * (length - 1), end_y = y + steps[d][1] * (length - 1);
                if (end_x < 0 || end_x >= columns || end_y < 0 || end_y >= rows) continue;
                int run[4];
                for (int k = 0; k < length; k++)
                    run[k] = (y + steps[d][1] * k) * columns + x + steps[d][0] * k;
                for (int k = 0; k < length; k++)
                    memcpy(lines[run[k]][line_count[run[k]]++], run, sizeof run);
            }
}

static int play(void) {
    int board[MOST_CELLS] = {0}, height[7] = {0}, options[MOST_CELLS], cells = columns * rows;
    for (int moves = 0; moves < cells;) {
        int me = 1 + moves % 2, count = 0, cell;
        if (falls) {
            for (int c = 0; c < columns; c++)
                if (height[c] < rows) options[count++] = c;
            int column = options[below((unsigned)count)];
            cell = height[column]++ * columns + column;
        } else {
            for (int k = 0; k < cells; k++)
                if (!board[k]) options[count++] = k;
            cell = options[below((unsigned)count)];
        }
        board[cell] = me;
        moves++;
        for (int l = 0; l < line_count[cell]; l++) {
            int k = 0;
            while (k < length && board[lines[cell][l][k]] == me) k++;
            if (k == length) return moves;
        }
    }
    return cells;
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    falls = argc > 1 && strcmp(argv[1], "connect_four") == 0;
    columns = falls ? 7 : 3;
    rows = falls ? 6 : 3;
    length = falls ? 4 : 3;
    make_lines();
    double seconds;
    while (scanf("%lf", &seconds) == 1) {
        long games = 0, moves = 0;
        double start = now(), spent = 0;
        while (spent < seconds) {
            for (int k = 0; k < 1000; k++) moves += play();
            games += 1000;
            spent = now() - start;
        }
        printf("%ld %ld %f\n", games, moves, spent);
        fflush(stdout);
    }
    return 0;
}
