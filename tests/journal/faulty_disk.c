/* A disk that fails on command, for tests: loaded before libc, it lets chosen writes and syncs fail with a chosen error.
 *
 * fail(what, after, count, error): the calls of kind `what` number after+1 to after+count fail. Partial effects stay as they are:
 * a failed write has written nothing, a failed sync leaves the data where it was, in the page cache. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

enum kind { WRITES, SYNCS, TRUNCATES, KINDS };

static struct {
    long skip, left;
    int error;
} plan[KINDS];
static long failed;

void fail(int what, long after, long count, int error)
{
    plan[what].skip = after;
    plan[what].left = count;
    plan[what].error = error;
}

long failures(void)
{
    return failed;
}

static int refuses(enum kind what)
{
    if (plan[what].skip > 0) {
        plan[what].skip--;
        return 0;
    }
    if (plan[what].left <= 0)
        return 0;
    plan[what].left--;
    failed++;
    errno = plan[what].error;
    return 1;
}

#define NEXT(name, type) static __typeof__(type) *next; if (!next) next = (__typeof__(type) *)dlsym(RTLD_NEXT, name)

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
    NEXT("pwrite64", ssize_t(int, const void *, size_t, off64_t));
    return refuses(WRITES) ? -1 : next(fd, from, size, at);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    return pwrite64(fd, from, size, at);
}

int fdatasync(int fd)
{
    NEXT("fdatasync", int(int));
    return refuses(SYNCS) ? -1 : next(fd);
}

int fsync(int fd)
{
    NEXT("fsync", int(int));
    return refuses(SYNCS) ? -1 : next(fd);
}

int ftruncate64(int fd, off64_t size)
{
    NEXT("ftruncate64", int(int, off64_t));
    return refuses(TRUNCATES) ? -1 : next(fd, size);
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}
