/* Many coups at once: batches, and threads over ranges. */
#include "pfb1.h"

#include <string.h>

#ifndef _WIN32
#include <pthread.h>
#endif

/* What one thread does. */
struct job {
    const struct path *path;
    const struct seeds *seeds;
    struct nonces nonces;
    struct record *records; /* NULL to count only */
    uint64_t *classes;      /* one table, or NULL not to tell classes apart */
    uint64_t wins[WINNERS];
    bool refused; /* a nonce was above 2^53 - 1 */
};

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

size_t whole_groups(size_t lanes)
{
    return (lanes + GROUP - 1) / GROUP * GROUP;
}

static uint64_t nonce_at(const struct nonces *nonces, size_t place)
{
    uint64_t nonce = nonces->first + place;
    if (nonces->array) {
        memcpy(&nonce, nonces->array + place * sizeof nonce, sizeof nonce);
    }
    return nonce;
}

/* Write the messages of the batch that begins at `first`, and repeat the last one to fill the last group. An array of nonces may change
 * under our hands, so each is read once, and refused before anything is computed from it. Returns how many coups there are; 0 for a
 * refusal. */
size_t fill_batch(const struct seeds *seeds, const struct nonces *nonces, struct batch *batch, uint64_t numbers[LANES], size_t first)
{
    size_t count = smaller(nonces->count - first, LANES);
    for (size_t lane = 0; lane < count; lane++) {
        uint64_t nonce = nonce_at(nonces, first + lane);
        if (nonce > MAX_NONCE) {
            return 0;
        }
        numbers[lane] = nonce;
        write_message(seeds, batch, lane, nonce);
    }
    for (size_t lane = count; lane < whole_groups(count); lane++) {
        write_message(seeds, batch, lane, numbers[count - 1]);
    }
    return count;
}

/* Derive the suspects again, the exact way. */
static void settle_suspects(const struct seeds *seeds, struct batch *batch, const uint64_t nonces[LANES], uint64_t suspects, size_t count)
{
    for (size_t lane = 0; suspects && lane < count; lane++, suspects >>= 1) {
        if (suspects & 1) {
            derive_exact(seeds, nonces[lane], &batch->records[lane]);
        }
    }
}

static void count_wins(const struct batch *batch, size_t count, uint64_t wins[WINNERS])
{
    unsigned banker = 0, tie = 0;
    for (size_t lane = 0; lane < count; lane++) {
        banker += batch->records[lane].winner & BANKER;
        tie += batch->records[lane].winner / TIE;
    }
    wins[PLAYER] += count - banker - tie;
    wins[BANKER] += banker;
    wins[TIE] += tie;
}

static void count_classes(const struct batch *batch, size_t count, class_table classes)
{
    for (size_t lane = 0; lane < count; lane++) {
        const struct record *coup = &batch->records[lane];
        classes[(coup->player_score * 10 + coup->banker_score) * 4 + (coup->flags & DREW)]++;
    }
}

static void run_job(struct job *job)
{
    struct batch batch;
    uint64_t nonces[LANES];
    memset(batch.digits, 0, sizeof batch.digits);
    for (size_t first = 0; first < job->nonces.count; first += LANES) {
        size_t count = fill_batch(job->seeds, &job->nonces, &batch, nonces, first);
        size_t lanes = whole_groups(count);
        if (count == 0) {
            job->refused = true;
            return;
        }
        job->path->hash(job->seeds, &batch, lanes);
        uint64_t suspects = job->path->derive(job->seeds, &batch, lanes);
        settle_suspects(job->seeds, &batch, nonces, suspects, count);
        if (job->records) {
            memcpy(job->records + first, batch.records, count * sizeof(struct record));
        }
        if (job->classes) {
            count_classes(&batch, count, job->classes);
        }
        count_wins(&batch, count, job->wins);
    }
}

/* The part of the whole that a thread gets: whole batches, as even as they go; none where there are more threads than batches. */
static struct job share(const struct job *whole, unsigned part, unsigned parts)
{
    size_t batches = (whole->nonces.count + LANES - 1) / LANES;
    size_t from = batches / parts * part + smaller(part, batches % parts);
    size_t to = from + batches / parts + (part < batches % parts);
    size_t start = smaller(from * LANES, whole->nonces.count), stop = smaller(to * LANES, whole->nonces.count);
    struct job job = *whole;
    job.nonces.count = stop - start;
    job.nonces.first += start;
    job.nonces.array = job.nonces.array ? job.nonces.array + start * sizeof(uint64_t) : NULL;
    job.records = job.records ? job.records + start : NULL;
    return job;
}

#ifdef _WIN32
static void run_jobs(struct job *jobs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        run_job(&jobs[i]);
    }
}
#else
static void *run_thread(void *job)
{
    run_job(job);
    return NULL;
}

/* The calling thread does the first job, and whatever no thread could be started for. */
static void run_jobs(struct job *jobs, unsigned count)
{
    pthread_t threads[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    for (unsigned i = 1; i < count; i++) {
        started[i] = pthread_create(&threads[i], NULL, run_thread, &jobs[i]) == 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!started[i]) {
            run_job(&jobs[i]);
        }
    }
    for (unsigned i = 1; i < count; i++) {
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
    }
}
#endif

/* Derive every nonce on up to 64 threads. `records` holds one for each nonce, or is NULL; `classes` holds a table of zeros for each
 * thread, of which the first becomes their sum, or is NULL. Returns false if a nonce was refused. */
bool run(const struct path *path, const struct seeds *seeds, struct nonces nonces, unsigned threads, struct record *records,
         class_table *classes, uint64_t wins[WINNERS])
{
    const struct job whole = {.path = path, .seeds = seeds, .nonces = nonces, .records = records};
    struct job jobs[MAX_THREADS];
    unsigned count = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    bool refused = false;
    for (unsigned i = 0; i < count; i++) {
        jobs[i] = share(&whole, i, count);
        jobs[i].classes = classes ? classes[i] : NULL;
    }
    run_jobs(jobs, count);
    for (unsigned i = 0; i < count; i++) {
        refused |= jobs[i].refused;
        for (int winner = 0; winner < WINNERS; winner++) {
            wins[winner] += jobs[i].wins[winner];
        }
        for (int class = 0; classes && i && class < CLASSES; class++) {
            classes[0][class] += classes[i][class];
        }
    }
    return !refused;
}

/* Derive one coup, of a nonce that may be one. */
void derive_one(const struct path *path, const struct seeds *seeds, uint64_t nonce, struct record *record)
{
    struct batch batch;
    batch.digits[0] = 0;
    write_message(seeds, &batch, 0, nonce);
    for (size_t lane = 1; lane < path->lanes_of_one; lane++) {
        memcpy(batch.messages[lane], batch.messages[0], sizeof batch.messages[0]);
        batch.blocks[lane] = batch.blocks[0];
    }
    path->hash_one(seeds, &batch, path->lanes_of_one);
    if (derive_portable(seeds, &batch, 1)) {
        derive_exact(seeds, nonce, &batch.records[0]);
    }
    *record = batch.records[0];
}
