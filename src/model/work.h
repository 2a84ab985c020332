/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_MODEL_WORK_H
#define LS_MODEL_WORK_H

/*
 * Between the files of the model. All times are ns of virtual time from the run's start.
 *
 * A burst that arrives at a queue which serves first come first served has its end at once: nothing
 * that comes later can move it. So when a message arrives, everything up to the next message of
 * that user is known: the answer, or which time-out comes before it, or the death of the gateway.
 * What lies in the future is put down as such, and only arrivals have to happen in their order:
 *
 *     due -login_start-> connect_begin -> DOOR -farm_door-> arrive -> login_answered
 *                           ^   ^          ^ |                            |
 *                           |   |          `-' no place: the SYN again    v
 *                           |   `-------- next connection ------- login_worked -> STEP -> arrive
 *                           |                                             |
 *                 RETRY ----'---- attempt_failed <-- out of time, lost ---'--> came_through
 *
 * Users who share an injector (client_cores) make two more stops of the same kind: CLIENT before
 * a hello, ANSWER at what they get.
 */

#include "loginstorm/model.h"
#include "loginstorm/units.h"
#include "model/draw.h"
#include "model/queue.h"

enum kind {
    EVENT_DOOR,   /* row: its Client Hello is at the gateways */
    EVENT_STEP,   /* row, step: so is a later message */
    EVENT_CLIENT, /* row, step: an injector is to send it; CONNECTING: a SYN */
    EVENT_ANSWER, /* row, step: an injector has the answer */
    EVENT_RETRY,  /* row */
    EVENT_COME,   /* row: of a user who was not in the schedule at that moment */
    EVENT_LOST,   /* row: hears that its session is gone */
    EVENT_CLOSE,  /* gateway, epoch (connection, attempt): a connection less */
    EVENT_DOWN,   /* gateway */
    EVENT_UP,     /* gateway */
    EVENT_RETURN, /* the scenario's event of that index: a share of those who are in comes again */
};
enum { LANE_DOOR, LANE_NEXT_DOOR, LANE_STEP, LANE_CLIENT, LANE_ANSWER };

#define NONE UINT32_MAX
#define CONNECTING UINT8_MAX

/* What a row of the login table needs while it is played: mostly its connection under way. */
struct state {
    const struct ls_model_population *population;
    const struct ls_model_handshake *kind; /* of all its handshakes */
    int64_t ends_ns;                       /* the login's time is over */
    int64_t started_ns, syn_ns, connected_ns;
    int64_t secure_ends_ns; /* so is the handshake's, or the login's before it */
    int64_t round_trip_ns;
    int64_t lost_ns; /* he hears of the death of a gateway that he has a connection to; INT64_MAX */
    int64_t over_ns; /* his session ends */
    uint32_t user;   /* of the schedule */
    uint32_t gateway;
    uint32_t places; /* at balancers that count: the newest, or NONE */
    uint8_t connection, syn_tries;
    bool secured;
    bool holding;
};

/* Cores and who waits for them: a gateway, or an injector. */
struct station {
    int64_t *free_ns; /* when each core will have done all that has come so far; a heap */
    int cores;
    bool up;
    uint16_t epoch;    /* counts its deaths */
    size_t outage;     /* its next one */
    int64_t dies_ns;   /* of that; INT64_MAX */
    int64_t *start_ns; /* of first bursts that have not begun: a ring, ascending */
    size_t head, waiting, room;
    int64_t pause_ns, pause_end_ns; /* the next one that has not been looked past */
    uint32_t pause;                 /* its number */
    uint32_t number;                /* of the station, for its draws */
    int64_t *slices;
    size_t slices_room;
    size_t slice; /* the one that was added to last, and where it lies */
    int64_t slice_from_ns, slice_to_ns;
};

struct outage {
    uint32_t gateway;
    int64_t from_ns, to_ns;
};

struct place {
    uint32_t gateway, next;
    uint16_t epoch;
};

struct ls_model {
    const struct ls_model_wish *wish;
    const struct ls_schedule *schedule;
    double cpu; /* a handshake's costs times so much */
    struct drawer drawer;
    uint64_t network_state, resume_state, retry_state, balance_state, event_state, pause_state;
    struct queue queue;
    struct station *gateways, *injectors;
    struct outage *outages; /* by gateway, then by time */
    size_t outages_count;
    uint32_t turn; /* of round robin */
    int up_count;
    bool counts_places; /* the balancer does */
    /* Of whom the balancer counts: a tournament of the gateways' open connections. The fewest is on top at 1, those of gateway
     * g lie at leaves + g; who is down, or not there, has INT64_MAX. */
    int64_t *fewest;
    size_t leaves;
    struct place *places;
    size_t places_count, places_room;
    uint32_t free_place;
    struct ls_login *rows;
    struct state *states;
    size_t rows_count, rows_room, next;
    /* The bursts of each user's first attempt, by row, connection and step: drawn for many users at
     * once, where a processor works on several draws at a time. NULL: where they would take too much
     * memory, each is drawn when it is wanted. */
    int64_t *bursts;
    size_t bursts_room, bursts_from, bursts_each;
    int steps_most;
    struct ls_handshake *handshakes;
    size_t handshakes_count, handshakes_room;
    int64_t *slices;
    size_t slices_count, slices_room;
    int64_t slice_ns;
    int64_t now_ns;
    size_t wave, wave_begun, wave_gone;
    int64_t wave_over_ns;
    struct ls_model_facts facts;
    bool out_of_memory;
    void (*look)(size_t users, void *data); /* NULL: nobody watches */
    void *look_data;
    size_t look_users, look_next;
};

/* For one more: doubled while it is small, and by a quarter then, since what is asked for is counted where memory is short. */
static inline size_t more_room(size_t room, size_t first)
{
    return room == 0 ? first : room < (size_t)1 << 20 ? room * 2 : room + room / 4;
}

static inline int64_t later(int64_t from_ns, int64_t wait_ns)
{
    return wait_ns < INT64_MAX - from_ns ? from_ns + wait_ns : INT64_MAX;
}

static inline int64_t earlier_of(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

/* When the phase in which he waits for the answer to a step runs out. */
static inline int64_t deadline_of(const struct state *state, int step)
{
    return step <= state->kind->secured ? state->secure_ends_ns : state->ends_ns;
}

/* What a user makes of the answer to a step. */
static inline int64_t client_work_ns(const struct ls_model_handshake *kind, int step)
{
    return step + 1 == kind->steps_count ? kind->last_client_ns : kind->steps[step + 1].client_ns;
}

void put(struct ls_model *model, int lane, const struct event *event);
/* A user comes again: another row. */
void return_put(struct ls_model *model, uint32_t row, int64_t due_ns);

/* bursts.c */
#define BURSTS_BYTES_MOST ((size_t)256 * 1024 * 1024)
void bursts_begin(struct ls_model *model);
/* Of users from row on: to be called at a row that is none of those that are drawn. */
void bursts_draw(struct ls_model *model, size_t row);
int64_t burst_of(const struct ls_model *model, const struct event *event);
bool row_resumes(const struct ls_model *model, const struct ls_model_population *population,
                 uint32_t user);

/* login.c, connect.c: the user's side */
void login_start(struct ls_model *model, uint32_t row);
/* Another try, or the first. */
void login_try(struct ls_model *model, uint32_t row);
void login_lost(struct ls_model *model, uint32_t row);
/* The gateway was done with his message at end_ns; INT64_MAX: it never will be. */
void login_answered(struct ls_model *model, uint32_t row, int step, int64_t end_ns);
/* His own work on the answer ends at at_ns. */
void login_worked(struct ls_model *model, uint32_t row, int step, int64_t at_ns);
void attempt_failed(struct ls_model *model, uint32_t row, int64_t at_ns, enum ls_reason reason);

void connect_begin(struct ls_model *model, uint32_t row, int64_t at_ns);
/* Try after try, the first included: the hello arrives, or he gives up before. */
void connect_try(struct ls_model *model, uint32_t row, int lane);
/* CONNECTING or a hello has had its turn at an injector. */
void connect_client(struct ls_model *model, uint32_t row, uint8_t step);

/* record.c; only where handshakes are kept */
void handshake_put(struct ls_model *model, uint32_t row, enum ls_outcome outcome,
                   enum ls_reason reason, int64_t ended_ns);

/* farm.c, balance.c: the gateways' side */
void farm_clear(struct ls_model *model);
void farm_door(struct ls_model *model, uint32_t row);
void farm_step(struct ls_model *model, const struct event *event);
void farm_down(struct ls_model *model, uint32_t number);
void farm_up(struct ls_model *model, uint32_t number);
void balance_clear(struct ls_model *model);
/* A gateway is up with that many connections, or down with INT64_MAX. */
void balance_set(struct ls_model *model, uint32_t gateway, int64_t open);
/* The gateway that gets the row's connection; one is up. */
uint32_t balance_choose(struct ls_model *model, uint32_t row);
void balance_take_place(struct ls_model *model, uint32_t row);
void balance_leave_places(struct ls_model *model, uint32_t row, int64_t at_ns);

static inline void balance_take(struct ls_model *model, uint32_t row)
{
    if (model->counts_places) {
        balance_take_place(model, row);
    }
}

/* All that the row has open closes at at_ns. */
static inline void balance_leave(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    if (model->states[row].places != NONE) {
        balance_leave_places(model, row, at_ns);
    }
}

void balance_close(struct ls_model *model, const struct event *event);

/* station.c */
/* The earliest start of what arrives now, and how long that core has been idle; negative: it is not. */
static inline int64_t station_start_ns(const struct station *station, int64_t now_ns,
                                       int64_t *idle_ns)
{
    const int64_t free_ns = station->free_ns[0];

    *idle_ns = now_ns - free_ns;
    return free_ns > now_ns ? free_ns : now_ns;
}

void station_sift(int64_t *heap, int cores, int64_t end_ns);

/* The core that is free first has something to do until then. */
static inline void station_occupy(struct station *station, int64_t end_ns)
{
    if (station->cores == 1) {
        station->free_ns[0] = end_ns;
    } else {
        station_sift(station->free_ns, station->cores, end_ns);
    }
}

void station_clear(struct station *station, int64_t now_ns);
/* When work that would begin at *start_ns ends; where the core stands still, it begins later, too. */
int64_t station_end_between(const struct ls_model *model, struct station *station,
                            int64_t *start_ns, int64_t work_ns);
static inline int64_t station_end_ns(const struct ls_model *model, struct station *station,
                                     int64_t *start_ns, int64_t work_ns)
{
    return station->pause_ns == INT64_MAX ? *start_ns + work_ns
                                          : station_end_between(model, station, start_ns, work_ns);
}
void station_clear_pauses(const struct ls_model *model, struct station *station);
/* When the row's injector will have done that work, behind all that came before. */
int64_t injector_done_ns(struct ls_model *model, uint32_t row, int64_t work_ns);
/* First bursts that wait now; one more. */
size_t station_waiting(struct station *station, int64_t now_ns);
LS_MUST_CHECK
bool station_wait(struct station *station, int64_t start_ns);
/* CPU from ... to ..., put down to the slices. */
LS_MUST_CHECK
bool slices_add(struct station *station, int64_t slice_ns, int64_t from_ns, int64_t to_ns);
void slices_sum(struct ls_model *model);

/* waves.c: a closed loop goes on when one of it has gone */
void waves_begin(struct ls_model *model);
void waves_gone(struct ls_model *model, uint32_t row, int64_t at_ns);

#endif
