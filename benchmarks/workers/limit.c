/* The same games with every trick: bitboards, lists of what is free, chains that know their edges.
   They say how far machine code can go; nobody writes a game so the first time. */
#include "hex.h"
#include "loop.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

static inline int nth(uint64_t set, unsigned n) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ULL << n, set));
#else
    while (n--) set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

/* ---- tic-tac-toe: what is free is a list; a table of 512 says whether stones hold a line. */

static uint8_t holds_line[512];

static void make_table(void) {
    static const int three[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int stones = 0; stones < 512; stones++)
        for (int k = 0; k < 8; k++) holds_line[stones] |= (stones & three[k]) == three[k];
}

static int tic_tac_toe(void) {
    uint16_t cells[9] = {1, 2, 4, 8, 16, 32, 64, 128, 256}, mine = 0, theirs = 0;
    for (int left = 9; left;) {
        unsigned k = below((unsigned)left);
        uint16_t now = mine | cells[k];
        cells[k] = cells[--left];
        if (holds_line[now]) return 9 - left;
        mine = theirs;
        theirs = now;
    }
    return 9;
}

/* ---- connect four: seven bits a column, four in a row by two shifts a direction. */

static inline int four(uint64_t stones) {
    uint64_t pair = stones & stones >> 7;
    uint64_t found = pair & pair >> 14;
    pair = stones & stones >> 1;
    found |= pair & pair >> 2;
    pair = stones & stones >> 8;
    found |= pair & pair >> 16;
    pair = stones & stones >> 6;
    return (found | (pair & pair >> 12)) != 0;
}

static int connect_four(void) {
    uint64_t next[7], mine = 0, theirs = 0;
    for (int k = 0; k < 7; k++) next[k] = 1ULL << 7 * k;
    int open = 7, moves = 0;
    while (open) {
        unsigned k = below((unsigned)open);
        uint64_t disc = next[k], now = mine | disc;
        moves++;
        if (four(now)) return moves;
        next[k] = disc << 1;
        if (next[k] & 0x1020408102040ULL) next[k] = next[--open];
        mine = theirs;
        theirs = now;
    }
    return moves;
}

/* ---- breakthrough: the board is turned after each move, so that the mover always goes up. */

static int breakthrough(void) {
    const uint64_t left_edge = 0x0101010101010101ULL, right_edge = left_edge << 7;
    uint64_t mine = 0xffff, theirs = 0xffffULL << 48;
    for (int moves = 1;; moves++) {
        uint64_t on = mine << 8 & ~(mine | theirs);
        uint64_t left = (mine & ~left_edge) << 7 & ~mine, right = (mine & ~right_edge) << 9 & ~mine;
        unsigned ons = (unsigned)__builtin_popcountll(on), lefts = (unsigned)__builtin_popcountll(left);
        unsigned drawn = below(ons + lefts + (unsigned)__builtin_popcountll(right));
        int there, back;
        if (drawn < ons)
            there = nth(on, drawn), back = 8;
        else if (drawn < ons + lefts)
            there = nth(left, drawn - ons), back = 7;
        else
            there = nth(right, drawn - ons - lefts), back = 9;
        mine ^= 1ULL << there | 1ULL << (there - back);
        theirs &= ~(1ULL << there);
        if (there >= 56 || !theirs) return moves;
        uint64_t turned = __builtin_bswap64(mine);
        mine = __builtin_bswap64(theirs);
        theirs = turned;
    }
}

/* ---- hex: chains joined by union-find, two edges a player as cells of their own. */

static inline int root(uint8_t *up, int cell) {
    while (up[cell] != cell) cell = up[cell] = up[up[cell]];
    return cell;
}

static int hex(void) {
    uint8_t board[HEX] = {0}, cells[HEX], up[HEX + 4];
    for (int k = 0; k < HEX; k++) cells[k] = (uint8_t)k;
    for (int k = 0; k < HEX + 4; k++) up[k] = (uint8_t)k;
    for (int left = HEX, me = 1;; me = 3 - me) {
        unsigned k = below((unsigned)left);
        int cell = cells[k], line = me == 1 ? cell / SIDE : cell % SIDE, edges = HEX + 2 * (me - 1);
        cells[k] = cells[--left];
        board[cell] = (uint8_t)me;
        if (line == 0) up[root(up, cell)] = (uint8_t)root(up, edges);
        if (line == SIDE - 1) up[root(up, cell)] = (uint8_t)root(up, edges + 1);
        for (int n = 0; n < near_count[cell]; n++)
            if (board[near[cell][n]] == me) up[root(up, near[cell][n])] = (uint8_t)root(up, cell);
        if (root(up, edges) == root(up, edges + 1)) return HEX - left;
    }
}

int main(int argc, char **argv) {
    static const Entry entries[] = {
        {"tic_tac_toe", tic_tac_toe},
        {"connect_four", connect_four},
        {"breakthrough", breakthrough},
        {"hex", hex},
    };
    make_table();
    make_near();
    return answer(entries, sizeof entries / sizeof *entries, argc > 1 ? argv[1] : "");
}
