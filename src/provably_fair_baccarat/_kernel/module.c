/* The Python face of the kernel: one class, PreparedSeeds, and the names of the paths. Limited API of Python 3.11.
 *
 * The module's state is its own in every interpreter and never changes once it is there. The GIL is released while many coups are derived.
 */
#include "module.h"

#include <string.h>

#include "x86.h"

/* What the processor can do, found once: to ask it takes microseconds in a virtual machine. */
struct module_state {
    struct path paths[MAX_PATHS];
    size_t count;
};

/* The path of that name, or the best one for NULL; false and ValueError where the processor hasn't it. */
bool choose_path(const struct module_state *state, const char *name, struct path *path)
{
    for (size_t i = 0; i < state->count; i++) {
        if (name == NULL || strcmp(state->paths[i].name, name) == 0) {
            *path = state->paths[i];
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "no path %s here", name);
    return false;
}

static bool check_inputs(Py_ssize_t key_size, Py_ssize_t prefix_size, int decks, PyObject *deck)
{
    if (key_size != KEY_SIZE) {
        PyErr_SetString(PyExc_ValueError, "the server seed must be 32 bytes");
    } else if (prefix_size < 1 || prefix_size > MAX_PREFIX_SIZE) {
        PyErr_SetString(PyExc_ValueError, "the prefix must be 1 to 160 bytes");
    } else if (decks < 1 || decks > MAX_DECKS) {
        PyErr_SetString(PyExc_ValueError, "decks must be 1 to 8");
    } else if (PyTuple_Size(deck) != DECK_SIZE) {
        PyErr_SetString(PyExc_ValueError, "the deck must be 52 cards");
    } else {
        return true;
    }
    return false;
}

static PyObject *prepared_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"server_seed", "prefix", "decks", "deck", "refuse", "path", NULL};
    const char *key, *prefix, *path_name = NULL;
    Py_ssize_t key_size, prefix_size;
    int decks;
    PyObject *deck, *refuse;
    struct path path;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "y#y#iO!O|z", names, &key, &key_size, &prefix, &prefix_size, &decks,
                                     &PyTuple_Type, &deck, &refuse, &path_name)
        || !check_inputs(key_size, prefix_size, decks, deck) || !choose_path(PyType_GetModuleState(type), path_name, &path)) {
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Prepared *self = (Prepared *)allocate(type, 0);
    if (self == NULL) {
        return NULL;
    }
    prepare_seeds(path.compress, &self->seeds, (const uint8_t *)key, (const uint8_t *)prefix, (size_t)prefix_size, (unsigned)decks);
    self->path = path;
    Py_INCREF(deck);
    self->deck = deck;
    Py_INCREF(refuse);
    self->refuse = refuse;
    return (PyObject *)self;
}

static int prepared_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((Prepared *)object)->deck);
    Py_VISIT(((Prepared *)object)->refuse);
    return 0;
}

static int prepared_clear(PyObject *object)
{
    Py_CLEAR(((Prepared *)object)->deck);
    Py_CLEAR(((Prepared *)object)->refuse);
    return 0;
}

static void prepared_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    prepared_clear(object);
    wipe(&((Prepared *)object)->seeds, sizeof(struct seeds));
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

PyObject *refuse_nonce(void)
{
    PyErr_SetString(PyExc_ValueError, "a nonce must be 0 to 2^53 - 1");
    return NULL;
}

/* A nonce from an int, neither True nor a number of another kind; false and no exception where it isn't one. */
static bool read_nonce(PyObject *number, uint64_t *nonce)
{
    if (!PyLong_CheckExact(number)) {
        return false;
    }
    *nonce = PyLong_AsUnsignedLongLong(number);
    if (*nonce == (uint64_t)-1) {
        PyErr_Clear();
    }
    return *nonce <= MAX_NONCE;
}

/* (cut, (card, card, card, card, card, card)) */
static PyObject *build_cut_and_cards(const Prepared *self, const struct record *record)
{
    PyObject *cards = PyTuple_New(POSITIONS), *cut = PyLong_FromLong(record->cut[0] | record->cut[1] << 8), *both = PyTuple_New(2);
    if (cards == NULL || cut == NULL || both == NULL) {
        Py_XDECREF(cards);
        Py_XDECREF(cut);
        Py_XDECREF(both);
        return NULL;
    }
    for (int k = 0; k < POSITIONS; k++) {
        PyObject *card = PyTuple_GetItem(self->deck, record->cards[k]);
        Py_XINCREF(card);
        PyTuple_SetItem(cards, k, card);
    }
    PyTuple_SetItem(both, 0, cut);
    PyTuple_SetItem(both, 1, cards);
    return both;
}

PyDoc_STRVAR(coup_doc, "coup($self, nonce, /)\n--\n\nCut and six cards of one coup (protocol steps 3 to 5).");

static PyObject *prepared_coup(PyObject *object, PyObject *number)
{
    const Prepared *self = (Prepared *)object;
    uint64_t nonce;
    struct record record;
    if (!read_nonce(number, &nonce)) {
        PyObject *answer = PyObject_CallFunctionObjArgs(self->refuse, number, NULL);
        if (answer == NULL) {
            return NULL;
        }
        Py_DECREF(answer);
        return refuse_nonce();
    }
    derive_one(&self->path, &self->seeds, nonce, &record);
    return build_cut_and_cards(self, &record);
}

/* Release the GIL, derive, and return the wins as (player, banker, tie). */
static PyObject *run_released(const Prepared *self, struct nonces nonces, int threads, struct record *records)
{
    uint64_t wins[WINNERS] = {0};
    bool done;
    Py_BEGIN_ALLOW_THREADS
    done = run(&self->path, &self->seeds, nonces, threads < 1 ? 1 : (unsigned)threads, records, NULL, wins);
    Py_END_ALLOW_THREADS
    if (!done) {
        return refuse_nonce();
    }
    return Py_BuildValue("KKK", (unsigned long long)wins[PLAYER], (unsigned long long)wins[BANKER], (unsigned long long)wins[TIE]);
}

/* The nonces that a caller means: an array of 8-byte integers, or (start, stop). The view must be released where there is an array. */
bool read_nonces(PyObject *given, struct nonces *nonces, Py_buffer *view)
{
    view->obj = NULL;
    if (PyTuple_Check(given)) {
        unsigned long long start, stop;
        if (!PyArg_ParseTuple(given, "KK", &start, &stop)) {
            return false;
        }
        if (start > stop || stop > MAX_NONCE + 1) {
            refuse_nonce();
            return false;
        }
        *nonces = (struct nonces){.first = start, .count = (size_t)(stop - start)};
        if (nonces->count != stop - start) { /* where addresses have 32 bits */
            PyErr_SetString(PyExc_OverflowError, "too many nonces at once");
            return false;
        }
        return true;
    }
    if (PyObject_GetBuffer(given, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        return false;
    }
    const char *format = view->format ? view->format : "B";
    if (view->itemsize != 8 || format[0] == '\0' || format[1] != '\0' || strchr("qQlL", format[0]) == NULL) {
        PyBuffer_Release(view);
        PyErr_SetString(PyExc_TypeError, "an array of nonces must hold 8-byte integers of this machine");
        return false;
    }
    *nonces = (struct nonces){.array = view->buf, .count = (size_t)view->len / 8};
    return true;
}

PyDoc_STRVAR(count_doc,
             "count($self, nonces, threads, /)\n--\n\n"
             "How often player, banker and neither win, over (start, stop) or an array of nonces.");

static PyObject *prepared_count(PyObject *self, PyObject *arguments)
{
    PyObject *given;
    int threads;
    struct nonces nonces;
    Py_buffer view;
    if (!PyArg_ParseTuple(arguments, "Oi", &given, &threads) || !read_nonces(given, &nonces, &view)) {
        return NULL;
    }
    PyObject *wins = run_released((Prepared *)self, nonces, threads, NULL);
    PyBuffer_Release(&view);
    return wins;
}

PyDoc_STRVAR(derive_doc,
             "derive($self, nonces, records, threads, /)\n--\n\n"
             "The same, and write a record of 12 bytes for each nonce into the start of a buffer.");

static PyObject *prepared_derive(PyObject *self, PyObject *arguments)
{
    PyObject *given, *wins = NULL;
    int threads;
    struct nonces nonces;
    Py_buffer view, records;
    if (!PyArg_ParseTuple(arguments, "Ow*i", &given, &records, &threads)) {
        return NULL;
    }
    if (read_nonces(given, &nonces, &view)) {
        if (nonces.count > (size_t)records.len / sizeof(struct record)) {
            PyErr_SetString(PyExc_ValueError, "the buffer is too small for the records");
        } else {
            wins = run_released((Prepared *)self, nonces, threads, records.buf);
        }
        PyBuffer_Release(&view);
    }
    PyBuffer_Release(&records);
    return wins;
}

static PyMethodDef prepared_methods[] = {
    {"coup", prepared_coup, METH_O, coup_doc},
    {"count", prepared_count, METH_VARARGS, count_doc},
    {"derive", prepared_derive, METH_VARARGS, derive_doc},
    {"draws", prepared_draws, METH_VARARGS, draws_doc},
    {"scale", prepared_scale, METH_VARARGS, scale_doc},
    {"tally", prepared_tally, METH_VARARGS, tally_doc},
    {"words", prepared_words, METH_VARARGS, words_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot prepared_slots[] = {
    {Py_tp_doc, "PreparedSeeds(server_seed, prefix, decks, deck, refuse, path=None)\n--\n\n"
                "Seeds with everything hashed that comes before the nonce. The prefix is label, colon, client seed, colon."},
    {Py_tp_new, prepared_new},
    {Py_tp_traverse, prepared_traverse},
    {Py_tp_clear, prepared_clear},
    {Py_tp_dealloc, prepared_dealloc},
    {Py_tp_methods, prepared_methods},
    {0, NULL},
};

static PyType_Spec prepared_spec = {
    .name = "provably_fair_baccarat._kernel.PreparedSeeds",
    .basicsize = sizeof(Prepared),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = prepared_slots,
};

#ifdef HAVE_X86
PyDoc_STRVAR(yardstick_doc,
             "yardstick(hmacs, /)\n--\n\n"
             "Compute so many HMAC-SHA-256 (rounded up to 64) with prepared pads and one inner block, two SHA-NI lanes at a time, and\n"
             "nothing else: what every speed is held against.");

static PyObject *yardstick(PyObject *module, PyObject *number)
{
    static const uint8_t key[KEY_SIZE] = {1}, prefix[] = "pfb1:8:0123456789abcdef:";
    struct batch batch;
    struct seeds seeds;
    struct path path;
    uint64_t hmacs;
    uint32_t sum = 0;
    if (!choose_path(PyModule_GetState(module), "shani", &path)) {
        return NULL;
    }
    if (!read_nonce(number, &hmacs)) {
        return refuse_nonce();
    }
    memset(batch.digits, 0, sizeof batch.digits);
    prepare_seeds(path.compress, &seeds, key, prefix, sizeof prefix - 1, 8);
    for (size_t lane = 0; lane < LANES; lane++) {
        write_message(&seeds, &batch, lane, 500000000 + lane);
    }
    Py_BEGIN_ALLOW_THREADS
    for (uint64_t done = 0; done < hmacs; done += LANES) {
        path.hash_one(&seeds, &batch, LANES);
        sum += batch.words[done / LANES % LANES][0];
    }
    Py_END_ALLOW_THREADS
    return PyLong_FromUnsignedLong(sum);
}
#endif

PyDoc_STRVAR(derive_rows_doc,
             "derive_rows(keys, key_of_row, games, client_seeds, client_seed_offsets, client_seed_of_row, nonces, records, path, /)\n--\n\n"
             "Derive rows of many seed pairs and write a record of 12 bytes for each into the start of a buffer.");

enum { KEYS, KEY_OF_ROW, GAMES, CLIENT_SEEDS, CLIENT_SEED_OFFSETS, CLIENT_SEED_OF_ROW, NONCES, RECORDS, BUFFERS };

/* The rows that so many buffers hold; false and ValueError where one is too small for the others. */
static bool read_rows(const Py_buffer views[BUFFERS], struct rows *rows)
{
    size_t count = (size_t)views[GAMES].len, offsets = (size_t)views[CLIENT_SEED_OFFSETS].len / sizeof(int32_t);
    if ((size_t)views[KEY_OF_ROW].len / sizeof(int32_t) < count || (size_t)views[CLIENT_SEED_OF_ROW].len / sizeof(int32_t) < count
        || (size_t)views[NONCES].len / sizeof(uint64_t) < count || (size_t)views[RECORDS].len / sizeof(struct record) < count || !offsets) {
        PyErr_SetString(PyExc_ValueError, "a buffer is too small for the rows");
        return false;
    }
    *rows = (struct rows){
        .keys = views[KEYS].buf,
        .key_count = (size_t)views[KEYS].len / KEY_SIZE,
        .key_of_row = views[KEY_OF_ROW].buf,
        .games = views[GAMES].buf,
        .client_seeds = views[CLIENT_SEEDS].buf,
        .client_seeds_size = (size_t)views[CLIENT_SEEDS].len,
        .client_seed_offsets = views[CLIENT_SEED_OFFSETS].buf,
        .client_seed_count = offsets - 1,
        .client_seed_of_row = views[CLIENT_SEED_OF_ROW].buf,
        .nonces = views[NONCES].buf,
        .count = count,
    };
    return true;
}

static PyObject *derive_rows_of(PyObject *module, PyObject *arguments)
{
    Py_buffer views[BUFFERS];
    const char *path_name;
    struct path path;
    struct rows rows;
    bool done = false;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*y*y*y*w*z", &views[KEYS], &views[KEY_OF_ROW], &views[GAMES], &views[CLIENT_SEEDS],
                          &views[CLIENT_SEED_OFFSETS], &views[CLIENT_SEED_OF_ROW], &views[NONCES], &views[RECORDS], &path_name)) {
        return NULL;
    }
    if (choose_path(PyModule_GetState(module), path_name, &path) && read_rows(views, &rows)) {
        struct record *records = views[RECORDS].buf;
        Py_BEGIN_ALLOW_THREADS
        done = derive_rows(&path, &rows, records);
        Py_END_ALLOW_THREADS
        if (!done) {
            PyErr_SetString(PyExc_ValueError, "a row names a seed, a game or a nonce that cannot be");
        }
    }
    for (int i = 0; i < BUFFERS; i++) {
        PyBuffer_Release(&views[i]);
    }
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef kernel_methods[] = {
    {"add_amounts", add_amounts_of, METH_VARARGS, add_amounts_doc},
    {"count_coups", count_coups_of, METH_VARARGS, count_coups_doc},
    {"derive_rows", derive_rows_of, METH_VARARGS, derive_rows_doc},
    {"hash_rows", hash_rows_of, METH_VARARGS, hash_rows_doc},
    {"read_cards", read_cards_of, METH_VARARGS, read_cards_doc},
    {"sum_lines", sum_lines_of, METH_VARARGS, sum_lines_doc},
#ifdef HAVE_X86
    {"yardstick", yardstick, METH_O, yardstick_doc},
#endif
    {NULL, NULL, 0, NULL},
};

static int kernel_exec(PyObject *module)
{
    struct module_state *state = PyModule_GetState(module);
    state->count = find_paths(state->paths);
    PyObject *names = PyTuple_New((Py_ssize_t)state->count);
    if (names == NULL) {
        return -1;
    }
    for (size_t i = 0; i < state->count; i++) {
        PyObject *name = PyUnicode_FromString(state->paths[i].name);
        if (name == NULL) {
            Py_DECREF(names);
            return -1;
        }
        PyTuple_SetItem(names, (Py_ssize_t)i, name);
    }
    int failed = PyModule_AddObjectRef(module, "PATHS", names);
    Py_DECREF(names);
    PyObject *type = failed ? NULL : PyType_FromModuleAndSpec(module, &prepared_spec, NULL);
    failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

/* Later versions of Python ask more; the limited API of 3.11 hasn't the names of these slots, and 3.11 refuses them. */
#define MULTIPLE_INTERPRETERS 3                          /* Py_mod_multiple_interpreters, since 3.12 */
#define PER_INTERPRETER_GIL_SUPPORTED ((void *)2)        /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */

static PyModuleDef_Slot slots_of_3_11[] = {{Py_mod_exec, kernel_exec}, {0, NULL}};
static PyModuleDef_Slot slots_since_3_12[] = {
    {Py_mod_exec, kernel_exec},
    {MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL_SUPPORTED},
    {0, NULL},
};

#define KERNEL_MODULE(module_slots)                                                  \
    {                                                                                \
        PyModuleDef_HEAD_INIT, .m_name = "provably_fair_baccarat._kernel",           \
        .m_doc = "The pfb1 derivation in C, for many coups at once.",                \
        .m_size = sizeof(struct module_state), .m_methods = kernel_methods,          \
        .m_slots = module_slots,                                                     \
    }

static struct PyModuleDef kernel_of_3_11 = KERNEL_MODULE(slots_of_3_11);
static struct PyModuleDef kernel_since_3_12 = KERNEL_MODULE(slots_since_3_12);

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(Py_Version >= 0x030C0000 ? &kernel_since_3_12 : &kernel_of_3_11);
}
