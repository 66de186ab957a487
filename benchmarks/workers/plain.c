/* Five games as a good programmer writes them straight away: arrays and loops. */
#include "hex.h"
#include "loop.h"

enum { MOST_CELLS = 42, MOST_LINES = 16 };

/* ---- in a row: tic-tac-toe and connect four. Only lines through the new stone can be new. */

static int line_count[MOST_CELLS];
static int lines[MOST_CELLS][MOST_LINES][4];

static void make_lines(int columns, int rows, int length) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < rows; y++)
            for (int d = 0; d < 4; d++) {
                int end_x = x + steps[d][0] * (length - 1), end_y = y + steps[d][1] * (length - 1);
                if (end_x < 0 || end_x >= columns || end_y < 0 || end_y >= rows) continue;
                int run[4] = {0};
                for (int k = 0; k < length; k++)
                    run[k] = (y + steps[d][1] * k) * columns + x + steps[d][0] * k;
                for (int k = 0; k < length; k++)
                    memcpy(lines[run[k]][line_count[run[k]]++], run, sizeof run);
            }
}

static inline int completed(const int8_t *board, int cell, int me, int length) {
    for (int l = 0; l < line_count[cell]; l++) {
        int k = 0;
        while (k < length && board[lines[cell][l][k]] == me) k++;
        if (k == length) return 1;
    }
    return 0;
}

static int tic_tac_toe(void) {
    int8_t board[9] = {0};
    int options[9];
    for (int moves = 0; moves < 9;) {
        int me = 1 + moves % 2, count = 0;
        for (int k = 0; k < 9; k++)
            if (!board[k]) options[count++] = k;
        int cell = options[below((unsigned)count)];
        board[cell] = (int8_t)me;
        moves++;
        if (completed(board, cell, me, 3)) return moves;
    }
    return 9;
}

static int connect_four(void) {
    int8_t board[42] = {0};
    int height[7] = {0}, options[7];
    for (int moves = 0; moves < 42;) {
        int me = 1 + moves % 2, count = 0;
        for (int c = 0; c < 7; c++)
            if (height[c] < 6) options[count++] = c;
        int column = options[below((unsigned)count)];
        int cell = height[column]++ * 7 + column;
        board[cell] = (int8_t)me;
        moves++;
        if (completed(board, cell, me, 4)) return moves;
    }
    return 42;
}

/* ---- breakthrough: all moves are listed, or first the man is drawn and then his way. */

static int ways(const int8_t *board, int from, int me, int *to) {
    int forward = me == 1 ? 8 : -8, column = from % 8, count = 0;
    for (int side = -1; side <= 1; side++) {
        if (column + side < 0 || column + side > 7) continue;
        int there = from + forward + side;
        if (board[there] == me || (side == 0 && board[there])) continue;
        to[count++] = there;
    }
    return count;
}

static inline int breakthrough_by(int man_first) {
    int8_t board[64] = {0};
    int men[3] = {0, 16, 16}, from[48], to[48];
    for (int k = 0; k < 16; k++) board[k] = 1, board[63 - k] = 2;
    for (int moves = 1;; moves++) {
        int me = 2 - moves % 2, count = 0, here, there;
        for (int k = 0; k < 64; k++) {
            if (board[k] != me) continue;
            int goals[3], many = ways(board, k, me, goals);
            if (man_first) {
                if (many) from[count++] = k;
                continue;
            }
            for (int g = 0; g < many; g++) from[count] = k, to[count++] = goals[g];
        }
        unsigned drawn = below((unsigned)count);
        here = from[drawn];
        if (man_first) {
            int goals[3], many = ways(board, here, me, goals);
            there = goals[below((unsigned)many)];
        } else
            there = to[drawn];
        if (board[there]) men[3 - me]--;
        board[here] = 0;
        board[there] = (int8_t)me;
        if (there / 8 == (me == 1 ? 7 : 0) || men[3 - me] == 0) return moves;
    }
}

static int breakthrough(void) { return breakthrough_by(0); }
static int breakthrough_man_first(void) { return breakthrough_by(1); }

/* ---- hex: after each stone its chain is walked, and its edges looked at. */

static int joins(const int8_t *board, int cell, int me) {
    int8_t seen[HEX] = {0};
    int stack[HEX], height = 0, low = 0, high = 0;
    stack[height++] = cell;
    seen[cell] = 1;
    while (height) {
        int here = stack[--height], line = me == 1 ? here / SIDE : here % SIDE;
        low |= line == 0;
        high |= line == SIDE - 1;
        if (low && high) return 1;
        for (int k = 0; k < near_count[here]; k++) {
            int next = near[here][k];
            if (seen[next] || board[next] != me) continue;
            seen[next] = 1;
            stack[height++] = next;
        }
    }
    return 0;
}

static int hex(void) {
    int8_t board[HEX] = {0};
    int options[HEX];
    for (int moves = 1;; moves++) {
        int me = 2 - moves % 2, count = 0;
        for (int k = 0; k < HEX; k++)
            if (!board[k]) options[count++] = k;
        int cell = options[below((unsigned)count)];
        board[cell] = (int8_t)me;
        if (joins(board, cell, me)) return moves;
    }
}

/* ---- kuhn poker: the chips are counted, and kept where no compiler can leave them out. */

static volatile int winnings;

static int kuhn_poker(void) {
    int deck[3] = {1, 2, 3}, card[2], paid[2] = {1, 1}, moves = 0, opener = -1;
    for (int me = 0; me < 2; me++) {
        int drawn = (int)below((unsigned)(3 - me));
        card[me] = deck[drawn];
        deck[drawn] = deck[2 - me];
    }
    for (int me = 0; me < 2 && opener < 0; me++) {
        moves++;
        if (below(2)) opener = me, paid[me]++;
    }
    if (opener >= 0) {
        moves++;
        if (below(2)) paid[1 - opener]++;
    }
    int winner = paid[0] == paid[1] ? card[1] > card[0] : paid[1] > paid[0];
    winnings = winner ? -paid[0] : paid[1];
    return moves;
}

int main(int argc, char **argv) {
    static const Entry entries[] = {
        {"tic_tac_toe", tic_tac_toe},
        {"connect_four", connect_four},
        {"breakthrough", breakthrough},
        {"breakthrough/man_first", breakthrough_man_first},
        {"hex", hex},
        {"kuhn_poker", kuhn_poker},
    };
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "connect_four") == 0)
        make_lines(7, 6, 4);
    else
        make_lines(3, 3, 3);
    make_near();
    return answer(entries, sizeof entries / sizeof *entries, name);
}
