/* The Python face of what is counted finer and of the stream itself: tally, words, draws and scale. The GIL is released meanwhile. */
#include "module.h"

static PyObject *build_counts(const class_table counts)
{
    PyObject *list = PyList_New(CLASSES);
    for (Py_ssize_t i = 0; list != NULL && i < CLASSES; i++) {
        PyObject *count = PyLong_FromUnsignedLongLong(counts[i]);
        if (count == NULL) {
            Py_CLEAR(list);
        } else {
            PyList_SetItem(list, i, count);
        }
    }
    return list;
}

/* The nonces and the buffer of a call that writes the stream. */
struct streaming {
    struct nonces nonces;
    Py_buffer view, out;
};

static void release_streaming(struct streaming *streaming)
{
    PyBuffer_Release(&streaming->view);
    PyBuffer_Release(&streaming->out);
}

/* Take (nonces, out), where a coup takes so many bytes. What was taken must be released. */
static bool read_streaming(PyObject *arguments, size_t size, struct streaming *streaming)
{
    PyObject *given;
    if (!PyArg_ParseTuple(arguments, "Ow*", &given, &streaming->out)) {
        return false;
    }
    if (!read_nonces(given, &streaming->nonces, &streaming->view)) {
        PyBuffer_Release(&streaming->out);
        return false;
    }
    if (streaming->nonces.count > (size_t)streaming->out.len / size) {
        release_streaming(streaming);
        PyErr_SetString(PyExc_ValueError, "the buffer is too small for the stream");
        return false;
    }
    return true;
}

const char tally_doc[] =
    "tally($self, nonces, threads, /)\n--\n\n"
    "How often each class of coups comes up: 400 counts, class (player's score x 10 + banker's score) x 4 + who drew.";

PyObject *prepared_tally(PyObject *object, PyObject *arguments)
{
    const Prepared *self = (Prepared *)object;
    PyObject *given, *list = NULL;
    int threads;
    struct nonces nonces;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "Oi", &given, &threads) || !read_nonces(given, &nonces, &view)) {
        return NULL;
    }
    unsigned tables = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : (unsigned)threads;
    class_table *classes = PyMem_Calloc(tables, sizeof *classes);
    if (classes == NULL) {
        PyErr_NoMemory();
    } else {
        uint64_t wins[WINNERS] = {0};
        bool done;
        Py_BEGIN_ALLOW_THREADS
        done = run(&self->path, &self->seeds, nonces, tables, NULL, classes, wins);
        Py_END_ALLOW_THREADS
        list = done ? build_counts(classes[0]) : refuse_nonce();
    }
    PyMem_Free(classes);
    PyBuffer_Release(&view);
    return list;
}

const char words_doc[] =
    "words($self, nonces, out, /)\n--\n\n"
    "Write block 0 of each nonce into the start of a buffer, 32 bytes each, up to a coup that takes more than block 0.\n"
    "Returns how many were written.";

PyObject *prepared_words(PyObject *object, PyObject *arguments)
{
    const Prepared *self = (Prepared *)object;
    enum streamed end = ALL_WRITTEN;
    size_t done = 0;
    struct streaming streaming;
    if (!read_streaming(arguments, sizeof(block_bytes), &streaming)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    end = write_blocks(&self->path, &self->seeds, streaming.nonces, streaming.out.buf, &done);
    Py_END_ALLOW_THREADS
    release_streaming(&streaming);
    return end == REFUSED ? refuse_nonce() : PyLong_FromSize_t(done);
}

const char draws_doc[] =
    "draws($self, nonces, out, /)\n--\n\n"
    "Write the seven draws of each nonce into the start of a buffer, 14 bytes each. Returns how many coups were written.";

PyObject *prepared_draws(PyObject *object, PyObject *arguments)
{
    const Prepared *self = (Prepared *)object;
    enum streamed end = ALL_WRITTEN;
    struct streaming streaming;
    if (!read_streaming(arguments, sizeof(draw_bytes), &streaming)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    end = write_draws(&self->path, &self->seeds, streaming.nonces, streaming.out.buf);
    Py_END_ALLOW_THREADS
    release_streaming(&streaming);
    return end == REFUSED ? refuse_nonce() : PyLong_FromSize_t(streaming.nonces.count);
}

const char scale_doc[] =
    "scale($self, words, n, out, /)\n--\n\n"
    "draw(n) of step 4, again and again, from big-endian words: write 4 bytes for each result into a buffer as long as the words,\n"
    "which may be their own. Returns how many results there are.";

PyObject *prepared_scale(PyObject *self, PyObject *arguments)
{
    Py_buffer words, out;
    unsigned long long n;
    size_t drawn = 0;
    (void)self; /* any words will do */
    if (!PyArg_ParseTuple(arguments, "y*Kw*", &words, &n, &out)) {
        return NULL;
    }
    bool fits = n >= 1 && n <= UINT64_C(1) << 32 && words.len % WORD_SIZE == 0 && out.len >= words.len;
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        drawn = scale_words(words.buf, (size_t)words.len / WORD_SIZE, n, out.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&out);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "n must be 1 to 2^32, the words whole, and the buffer as long as they are");
        return NULL;
    }
    return PyLong_FromSize_t(drawn);
}
