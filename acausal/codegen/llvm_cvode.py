"""The derivatives and crossings in the form in which CVODE calls them: no Python runs at a step.

    int slope(double t, N_Vector y, N_Vector dydt, void *user)
    int crossings(double t, N_Vector y, double *out, void *user)
    int advance(int solve(...), void *cvode, double t, N_Vector y, double *reached, void *user)
    int rows(int solve(...), void *cvode, N_Vector y, void *user, double *times, int64 count,
             double *reached, double *states, double *memory, int64 *done)

`rows` calls CVode (`solve`) for one time after the other until it says anything but success, and keeps states and
memory at each: Python is not asked between the output times either. Where states were chosen, `advance` does what
`solve` does besides judging the choice: at output times, unless it was judged less than EVERY steps ago, and after
so many steps, for which CVode then says that it is too much work; where it may soon be bad, after each step.
Both say STATES_POOR if it is.

`user` points to words (`USER`): the addresses of u, p, m, of the offsets of crossings and of a record;
how far behind the content of a vector the address of its numbers stands; where CVODE has the states
in another order (to have a narrow Jacobian), the addresses of `place` and `order`, which say where a
state is there and which state is here, and of room for states and slopes; else 0; the address of what
`native_jacobian` needs, or 0; where states were chosen that of six more words, else 0: where the results of `choices`
are, their table, `acausal_poor`, CVodeGetNumSteps, CVodeSetMaxNumSteps, and at how many steps they were judged last;
the addresses of the crossings as CVODE has seen them last (`watched`), and as it is given them where it begins
(`starts`), each with the time behind them;
the addresses of the model's routines; how many states, numbers of memory and crossings it has; the address of
`predict` (`runtime/branch`), 0 where no blocks are followed, and how many solutions are. The record is five
numbers: calls of slope, the block that failed last, and its time; then the time of the last call and how many calls in
a row were for the same time. So the code is the same for all models.
A failure is recoverable: CVODE tries a smaller step. It is final where steps no longer change the time: a solution
that grows without bound would go on there up to 1e150, and might come out on the other side of its pole.
(SUNDIALS 7, cvode.h, nvector_serial.h.)
"""

from acausal.codegen.llvm_lines import number

ROUTINES = ("derivatives", "crossings", "choices")
USER = (
    *("u", "p", "m", "offset", "record", "data", "place", "order", "states", "slopes", "jacobian", "judging"),
    *("watched", "starts", *ROUTINES, "state_count", "memory_count", "crossing_count", "predict", "followed"),
)
"""The words of `user` in their order."""
STATES_POOR = 1000
"""A status that CVode never returns."""
EVERY = 4
"""Steps after which choices of states are judged, at most twice as many."""
TURNS = 1250
"""So often CVode is called again for one output time: between calls Python sees whether the user wants to stop."""
DIFFERENCE = 2.0**-26
"""For differences a state is moved by this share of itself, or of its scale where that is larger.

(J. E. Dennis, R. B. Schnabel, Numerical Methods for Unconstrained Optimization, 1983, section 5.4.)"""

STALLED = 200
"""So many calls for one time, four Jacobians besides, no steps that change the time make."""

ROUNDING = 2.0**-50
"""Times that differ by less, as a share, are one: beside a fold steps of a rounding error would never stop."""

_TEXT = """\
declare double @llvm.fabs.f64(double)
define ptr @cvode_numbers(ptr %v, ptr %user) {{
  %content = load ptr, ptr %v
  %where = getelementptr i64, ptr %user, i64 {data}
  %distance = load i64, ptr %where
  %place = getelementptr i8, ptr %content, i64 %distance
  %numbers = load ptr, ptr %place
  ret ptr %numbers
}}
define i64 @cvode_size(ptr %user, i64 %number) {{
  %where = getelementptr i64, ptr %user, i64 %number
  %size = load i64, ptr %where
  ret i64 %size
}}
define void @cvode_take(ptr %from, ptr %to, ptr %places, i64 %count) {{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %left = icmp slt i64 %i, %count
  br i1 %left, label %body, label %end
body:
  %pp = getelementptr i64, ptr %places, i64 %i
  %place = load i64, ptr %pp
  %fp = getelementptr double, ptr %from, i64 %place
  %x = load double, ptr %fp
  %tp = getelementptr double, ptr %to, i64 %i
  store double %x, ptr %tp
  %next = add i64 %i, 1
  br label %test
end:
  ret void
}}
define ptr @cvode_word(ptr %user, i64 %number) {{
  %where = getelementptr ptr, ptr %user, i64 %number
  %word = load ptr, ptr %where
  ret ptr %word
}}
define ptr @cvode_states(ptr %v, ptr %user) {{
  %y = call ptr @cvode_numbers(ptr %v, ptr %user)
  %place = call ptr @cvode_word(ptr %user, i64 {place})
  %plain = icmp eq ptr %place, null
  br i1 %plain, label %as_they_are, label %ordered
as_they_are:
  ret ptr %y
ordered:
  %states = call ptr @cvode_word(ptr %user, i64 {states})
  %count = call i64 @cvode_size(ptr %user, i64 {state_count})
  call void @cvode_take(ptr %y, ptr %states, ptr %place, i64 %count)
  ret ptr %states
}}
define i32 @cvode_call(ptr %routine, double %t, ptr %v, ptr %out, ptr %user) {{
  %y = call ptr @cvode_states(ptr %v, ptr %user)
  %u = load ptr, ptr %user
  %pp = getelementptr ptr, ptr %user, i64 1
  %p = load ptr, ptr %pp
  %mp = getelementptr ptr, ptr %user, i64 2
  %m = load ptr, ptr %mp
  %status = call i32 %routine(double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %good, label %bad
good:
  ret i32 0
bad:
  %rp = getelementptr ptr, ptr %user, i64 4
  %record = load ptr, ptr %rp
  %block = getelementptr double, ptr %record, i64 1
  %number = sitofp i32 %status to double
  store double %number, ptr %block
  %time = getelementptr double, ptr %record, i64 2
  store double %t, ptr %time
  ret i32 1
}}
define i32 @cvode_slope(double %t, ptr %v, ptr %w, ptr %user) {{
entry:
  %rp = getelementptr ptr, ptr %user, i64 4
  %record = load ptr, ptr %rp
  %before = load double, ptr %record
  %calls = fadd double %before, 1.0
  store double %calls, ptr %record
  %lp = getelementptr double, ptr %record, i64 3
  %last = load double, ptr %lp
  %sp = getelementptr double, ptr %record, i64 4
  %stalled = load double, ptr %sp
  %longer = fadd double %stalled, 1.0
  %way = fsub double %t, %last
  %distance = call double @llvm.fabs.f64(double %way)
  %size = call double @llvm.fabs.f64(double %t)
  %rounding = fmul double %size, {rounding}
  %unmoved = fcmp ole double %distance, %rounding
  %moved_to = select i1 %unmoved, double %last, double %t
  store double %moved_to, ptr %lp
  %stalls = select i1 %unmoved, double %longer, double 0.0
  store double %stalls, ptr %sp
  %out = call ptr @cvode_numbers(ptr %w, ptr %user)
  %order = call ptr @cvode_word(ptr %user, i64 {order})
  %plain = icmp eq ptr %order, null
  %slopes = call ptr @cvode_word(ptr %user, i64 {slopes})
  %target = select i1 %plain, ptr %out, ptr %slopes
  %routine = call ptr @cvode_word(ptr %user, i64 {derivatives})
  %count = call i64 @cvode_size(ptr %user, i64 {state_count})
  %jacobians = mul i64 %count, 4
  %enough = add i64 %jacobians, {stalled}
  %most = sitofp i64 %enough to double
  %stuck = fcmp ogt double %stalls, %most
  br i1 %stuck, label %given_up, label %goes_on
given_up:
  ret i32 -1
goes_on:
  %status = call i32 @cvode_call(ptr %routine, double %t, ptr %v, ptr %target, ptr %user)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %solved, label %end
solved:
  br i1 %plain, label %test, label %ordered
ordered:
  call void @cvode_take(ptr %slopes, ptr %out, ptr %order, i64 %count)
  br label %test
test:
  %i = phi i64 [ 0, %solved ], [ 0, %ordered ], [ %next, %body ]
  %sum = phi double [ 0.0, %solved ], [ 0.0, %ordered ], [ %more, %body ]
  %left = icmp slt i64 %i, %count
  br i1 %left, label %body, label %finite
body:
  %xp = getelementptr double, ptr %out, i64 %i
  %x = load double, ptr %xp
  %nothing = fmul double %x, 0.0
  %more = fadd double %sum, %nothing
  %next = add i64 %i, 1
  br label %test
finite:
  %wrong = fcmp uno double %sum, 0.0
  %answer = zext i1 %wrong to i32
  ret i32 %answer
end:
  ret i32 %status
}}
define i32 @cvode_crossings(double %t, ptr %v, ptr %out, ptr %user) {{
entry:
  %count = call i64 @cvode_size(ptr %user, i64 {crossing_count})
  %wp = getelementptr ptr, ptr %user, i64 {watched}
  %watched = load ptr, ptr %wp
  %ep = getelementptr double, ptr %watched, i64 %count
  store double %t, ptr %ep
  %ap = getelementptr ptr, ptr %user, i64 {starts}
  %starts = load ptr, ptr %ap
  %bp = getelementptr double, ptr %starts, i64 %count
  %begin = load double, ptr %bp
  %begins = fcmp oeq double %t, %begin
  br i1 %begins, label %start, label %later
start:
  br label %given
given:
  %k = phi i64 [ 0, %start ], [ %following, %giving ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %giving, label %done
giving:
  %sp = getelementptr double, ptr %starts, i64 %k
  %s = load double, ptr %sp
  %gp = getelementptr double, ptr %out, i64 %k
  store double %s, ptr %gp
  %hp = getelementptr double, ptr %watched, i64 %k
  store double %s, ptr %hp
  %following = add i64 %k, 1
  br label %given
done:
  ret i32 0
later:
  %routine = call ptr @cvode_word(ptr %user, i64 {crossings})
  %status = call i32 @cvode_call(ptr %routine, double %t, ptr %v, ptr %out, ptr %user)
  %op = getelementptr ptr, ptr %user, i64 3
  %offset = load ptr, ptr %op
  br label %test
test:
  %i = phi i64 [ 0, %later ], [ %next, %body ]
  %left = icmp slt i64 %i, %count
  br i1 %left, label %body, label %end
body:
  %xp = getelementptr double, ptr %out, i64 %i
  %x = load double, ptr %xp
  %dp = getelementptr double, ptr %offset, i64 %i
  %d = load double, ptr %dp
  %sum = fadd double %x, %d
  store double %sum, ptr %xp
  %kp = getelementptr double, ptr %watched, i64 %i
  store double %sum, ptr %kp
  %next = add i64 %i, 1
  br label %test
end:
  ret i32 %status
}}
define i32 @cvode_rows(ptr %solve, ptr %cvode, ptr %v, ptr %user, ptr %times, i64 %count,
                       ptr %reached, ptr %states, ptr %memory, ptr %done) {{
entry:
  %mp = getelementptr ptr, ptr %user, i64 2
  %m = load ptr, ptr %mp
  %numbers = call i64 @cvode_size(ptr %user, i64 {state_count})
  %kept_numbers = call i64 @cvode_size(ptr %user, i64 {memory_count})
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %kept ]
  store i64 %i, ptr %done
  %left = icmp slt i64 %i, %count
  br i1 %left, label %body, label %end
body:
  %tp = getelementptr double, ptr %times, i64 %i
  %t = load double, ptr %tp
  %status = call i32 @cvode_advance(ptr %solve, ptr %cvode, double %t, ptr %v, ptr %reached, ptr %user)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %keep, label %stopped
keep:
  %predict = call ptr @cvode_word(ptr %user, i64 {predict})
  %none = icmp eq ptr %predict, null
  br i1 %none, label %copy, label %predicted
predicted:
  %followed = call i64 @cvode_size(ptr %user, i64 {followed})
  call void %predict(ptr %m, i64 %kept_numbers, i64 %followed, double %t)
  br label %copy
copy:
  %y = call ptr @cvode_states(ptr %v, ptr %user)
  %at = mul i64 %i, %numbers
  %row = getelementptr double, ptr %states, i64 %at
  call void @cvode_copy(ptr %y, ptr %row, i64 %numbers)
  %from = mul i64 %i, %kept_numbers
  %mrow = getelementptr double, ptr %memory, i64 %from
  call void @cvode_copy(ptr %m, ptr %mrow, i64 %kept_numbers)
  br label %kept
kept:
  %next = add i64 %i, 1
  br label %test
stopped:
  ret i32 %status
end:
  ret i32 0
}}
define void @cvode_copy(ptr %from, ptr %to, i64 %count) {{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %left = icmp slt i64 %i, %count
  br i1 %left, label %body, label %end
body:
  %fp = getelementptr double, ptr %from, i64 %i
  %x = load double, ptr %fp
  %tp = getelementptr double, ptr %to, i64 %i
  store double %x, ptr %tp
  %next = add i64 %i, 1
  br label %test
end:
  ret void
}}
define i32 @cvode_advance(ptr %solve, ptr %cvode, double %t, ptr %v, ptr %reached, ptr %user) {{
entry:
  %counted = alloca i64
  store i64 0, ptr %counted
  %words = call ptr @cvode_word(ptr %user, i64 {judging})
  %nothing = icmp eq ptr %words, null
  br i1 %nothing, label %plain, label %judged_ones
plain:
  %answer = call i32 %solve(ptr %cvode, double %t, ptr %v, ptr %reached, i32 1)
  ret i32 %answer
judged_ones:
  %count = call ptr @cvode_word(ptr %words, i64 3)
  %set_most = call ptr @cvode_word(ptr %words, i64 4)
  %last = getelementptr i64, ptr %words, i64 5
  br label %again
again:
  %turn = phi i32 [ 0, %judged_ones ], [ %next, %good ]
  %status = call i32 %solve(ptr %cvode, double %t, ptr %v, ptr %reached, i32 1)
  %there = icmp eq i32 %status, 0
  %under_way = icmp eq i32 %status, -1
  %asked = or i1 %there, %under_way
  br i1 %asked, label %ask, label %end
ask:
  call i32 %count(ptr %cvode, ptr %counted)
  %steps = load i64, ptr %counted
  %before = load i64, ptr %last
  %since = sub i64 %steps, %before
  %soon = icmp ult i64 %since, {every}
  br i1 %soon, label %good, label %judge
judge:
  %now = load double, ptr %reached
  %verdict = call i32 @cvode_judge(double %now, ptr %v, ptr %user)
  %soon_poor = icmp eq i32 %verdict, 2
  %wait = select i1 %soon_poor, i64 {all_but_one}, i64 0
  %judged = sub i64 %steps, %wait
  store i64 %judged, ptr %last
  %most = select i1 %soon_poor, i64 1, i64 {every}
  call i32 %set_most(ptr %cvode, i64 %most)
  %bad = icmp eq i32 %verdict, 1
  br i1 %bad, label %poor, label %good
good:
  %next = add i32 %turn, 1
  %enough = icmp sge i32 %next, {turns}
  %stop = or i1 %there, %enough
  br i1 %stop, label %end, label %again
poor:
  ret i32 {poor}
end:
  ret i32 %status
}}
define internal i32 @cvode_judge(double %t, ptr %v, ptr %user) {{
  %words = call ptr @cvode_word(ptr %user, i64 {judging})
  %results = load ptr, ptr %words
  %routine = call ptr @cvode_word(ptr %user, i64 {choices})
  %status = call i32 @cvode_call(ptr %routine, double %t, ptr %v, ptr %results, ptr %user)
  %solved = icmp eq i32 %status, 0
  br i1 %solved, label %judge, label %failed
judge:
  %table = call ptr @cvode_word(ptr %words, i64 1)
  %function = call ptr @cvode_word(ptr %words, i64 2)
  %verdict = call i32 %function(ptr %results, ptr %table)
  ret i32 %verdict
failed:
  ret i32 1
}}"""


def cvode_text() -> str:
    """`cvode_slope`, `cvode_crossings`, `cvode_advance` and `cvode_rows`."""
    words = {name: number for number, name in enumerate(USER)}
    sizes = {"turns": TURNS, "stalled": STALLED, "rounding": number(ROUNDING)}
    return _TEXT.format(**words, **sizes, every=EVERY, all_but_one=EVERY - 1, poor=STATES_POOR)
