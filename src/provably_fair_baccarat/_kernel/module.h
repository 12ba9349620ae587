/* What the files of the Python face share. */
#ifndef MODULE_H
#define MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "pfb1.h"

typedef struct {
    PyObject_HEAD
    struct seeds seeds;
    struct path path;
    PyObject *deck;   /* the 52 cards of Python, in factory order */
    PyObject *refuse; /* called with what is no nonce, to raise the package's own error */
} Prepared;

/* module.c */
struct module_state;
bool choose_path(const struct module_state *, const char *name, struct path *); /* ValueError where there is none; NULL means the fastest */
bool read_nonces(PyObject *given, struct nonces *, Py_buffer *view);
PyObject *refuse_nonce(void); /* sets ValueError and returns NULL */

/* module_stream.c: methods of Prepared */
extern const char tally_doc[], words_doc[], draws_doc[], scale_doc[];
PyObject *prepared_tally(PyObject *, PyObject *arguments);
PyObject *prepared_words(PyObject *, PyObject *arguments);
PyObject *prepared_draws(PyObject *, PyObject *arguments);
PyObject *prepared_scale(PyObject *, PyObject *arguments);

/* module_columns.c: functions of the module */
extern const char add_amounts_doc[], hash_rows_doc[], read_cards_doc[], sum_lines_doc[], count_coups_doc[];
PyObject *add_amounts_of(PyObject *, PyObject *arguments);
PyObject *hash_rows_of(PyObject *, PyObject *arguments);
PyObject *read_cards_of(PyObject *, PyObject *arguments);
PyObject *sum_lines_of(PyObject *, PyObject *arguments);
PyObject *count_coups_of(PyObject *, PyObject *arguments);

#endif
