/* The Python face of columns.c: buffers in, buffers out, each as long as the others say, and the GIL released in between. */
#include "module.h"

const char add_amounts_doc[] = "add_amounts(rows, amounts, sums, /)\n--\n\nAdd amounts of 8 bytes to the sums of their rows.";
const char hash_rows_doc[] = "hash_rows(rows, width, digests, path, /)\n--\n\nWrite the SHA-256 of each row of so many bytes.";
const char read_cards_doc[] =
    "read_cards(texts, offsets, most, cards, used, /)\n--\n\n"
    "Write the cards of texts, so many bytes for each, 255 behind the last one, and how many cards there are, 0 for a text that is none.";
const char sum_lines_doc[] =
    "sum_lines(codes, stakes, returns, sums, /)\n--\n\n"
    "Add lines to the sums of their codes: 9 numbers of 8 bytes for each code. They are lines, hits, the largest stake, and stakes, their\n"
    "squares and returns of 16 bytes each, the low half first.";
const char count_coups_doc[] =
    "count_coups(cards, player_score, banker_score, used, cuts, is_chosen, counts, /)\n--\n\n"
    "Add the chosen coups to counts of 8 bytes each: 300 classes, 6 times 256 cards, 65,536 cuts, 1,000 situations.";

static size_t items(const Py_buffer *view, size_t size)
{
    return (size_t)view->len / size;
}

/* Whether 8-byte numbers lie in a buffer as the processor wants them. */
static bool is_aligned(const Py_buffer *view)
{
    return (uintptr_t)view->buf % sizeof(uint64_t) == 0;
}

/* Let go of so many buffers; None, or ValueError where what they hold cannot be. */
static PyObject *finish(Py_buffer *views, int count, bool done)
{
    for (int i = 0; i < count; i++) {
        PyBuffer_Release(&views[i]);
    }
    if (!done) {
        PyErr_SetString(PyExc_ValueError, "a column is too short, or holds what cannot be");
        return NULL;
    }
    return Py_NewRef(Py_None);
}

PyObject *read_cards_of(PyObject *module, PyObject *arguments)
{
    enum { TEXTS, OFFSETS, CARDS, USED, BUFFERS };
    Py_buffer views[BUFFERS];
    int most;
    bool done = false;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*iw*w*", &views[TEXTS], &views[OFFSETS], &most, &views[CARDS], &views[USED])) {
        return NULL;
    }
    size_t count = items(&views[USED], 1);
    if (most >= 1 && most <= POSITIONS && items(&views[OFFSETS], sizeof(int32_t)) > count && items(&views[CARDS], (size_t)most) >= count) {
        Py_BEGIN_ALLOW_THREADS
        done = read_cards(views[TEXTS].buf, (size_t)views[TEXTS].len, views[OFFSETS].buf, count, (size_t)most, views[CARDS].buf, views[USED].buf);
        Py_END_ALLOW_THREADS
    }
    return finish(views, BUFFERS, done);
}

PyObject *hash_rows_of(PyObject *module, PyObject *arguments)
{
    enum { ROWS, DIGESTS, BUFFERS };
    Py_buffer views[BUFFERS];
    int width;
    const char *path_name;
    struct path path;
    bool done = false;
    if (!PyArg_ParseTuple(arguments, "y*iw*s", &views[ROWS], &width, &views[DIGESTS], &path_name)) {
        return NULL;
    }
    if (!choose_path(PyModule_GetState(module), path_name, &path)) {
        PyBuffer_Release(&views[ROWS]);
        PyBuffer_Release(&views[DIGESTS]);
        return NULL;
    }
    size_t count = items(&views[DIGESTS], DIGEST_SIZE);
    if (width >= 1 && items(&views[ROWS], (size_t)width) >= count) {
        Py_BEGIN_ALLOW_THREADS
        hash_rows(path.compress, views[ROWS].buf, (size_t)width, count, views[DIGESTS].buf);
        Py_END_ALLOW_THREADS
        done = true;
    }
    return finish(views, BUFFERS, done);
}

PyObject *add_amounts_of(PyObject *module, PyObject *arguments)
{
    enum { ROWS, AMOUNTS, SUMS, BUFFERS };
    Py_buffer views[BUFFERS];
    bool done = false;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*w*", &views[ROWS], &views[AMOUNTS], &views[SUMS])) {
        return NULL;
    }
    size_t count = items(&views[ROWS], sizeof(int32_t)), size = items(&views[SUMS], sizeof(int64_t));
    if (is_aligned(&views[SUMS]) && items(&views[AMOUNTS], sizeof(int64_t)) >= count) {
        Py_BEGIN_ALLOW_THREADS
        done = add_amounts(views[ROWS].buf, views[AMOUNTS].buf, count, views[SUMS].buf, size);
        Py_END_ALLOW_THREADS
    }
    return finish(views, BUFFERS, done);
}

PyObject *sum_lines_of(PyObject *module, PyObject *arguments)
{
    enum { CODES, STAKES, RETURNS, SUMS, BUFFERS };
    Py_buffer views[BUFFERS];
    bool done = false;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*w*", &views[CODES], &views[STAKES], &views[RETURNS], &views[SUMS])) {
        return NULL;
    }
    size_t count = items(&views[CODES], sizeof(int64_t)), size = items(&views[SUMS], sizeof(struct line_sums));
    if (is_aligned(&views[SUMS]) && items(&views[STAKES], sizeof(int64_t)) >= count && items(&views[RETURNS], sizeof(int64_t)) >= count) {
        Py_BEGIN_ALLOW_THREADS
        done = sum_lines(views[CODES].buf, views[STAKES].buf, views[RETURNS].buf, count, views[SUMS].buf, size);
        Py_END_ALLOW_THREADS
    }
    return finish(views, BUFFERS, done);
}

PyObject *count_coups_of(PyObject *module, PyObject *arguments)
{
    enum { CARDS, PLAYER, BANKER, USED, CUTS, IS_CHOSEN, COUNTS, BUFFERS };
    Py_buffer views[BUFFERS];
    bool done = false;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*y*w*", &views[CARDS], &views[PLAYER], &views[BANKER], &views[USED], &views[CUTS],
                          &views[IS_CHOSEN], &views[COUNTS])) {
        return NULL;
    }
    size_t count = items(&views[IS_CHOSEN], 1);
    const struct coup_columns coups = {
        .cards = views[CARDS].buf,
        .player_score = views[PLAYER].buf,
        .banker_score = views[BANKER].buf,
        .used = views[USED].buf,
        .cuts = views[CUTS].buf,
        .is_chosen = views[IS_CHOSEN].buf,
        .count = count,
    };
    if (is_aligned(&views[COUNTS]) && items(&views[CARDS], POSITIONS) >= count && items(&views[PLAYER], 1) >= count && items(&views[BANKER], 1) >= count
        && items(&views[USED], 1) >= count && items(&views[CUTS], sizeof(uint16_t)) >= count
        && (size_t)views[COUNTS].len >= sizeof(struct coup_counts)) {
        Py_BEGIN_ALLOW_THREADS
        done = count_coups(&coups, views[COUNTS].buf);
        Py_END_ALLOW_THREADS
    }
    return finish(views, BUFFERS, done);
}
