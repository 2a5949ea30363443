--------------------------- MODULE LeaseholdTrace ---------------------------
(***************************************************************************)
(* Checks that simulated runs of the real engine and of the real scripts   *)
(* are behaviours of Leasehold, lock by lock.  Each script call must       *)
(* answer and leave the key as the model does; between two calls the key   *)
(* may only expire, or be changed by a fault that the run names; and a     *)
(* lease that counts as held is held in Redis, with a token of its own.    *)
(*                                                                         *)
(* The lines of the traces come from the simulator.  The first that the    *)
(* model cannot follow is printed, and ends its trace.                     *)
(***************************************************************************)
EXTENDS Leasehold, TraceLines

VARIABLES
  trace,      \* the number of the trace
  next,       \* the number of the line that comes next
  first,      \* the first token of the hold
  leases,     \* those that their clients count as held
  over,       \* the numbers of those that were lost or released
  given,      \* the highest token that a lease had, since data was lost
  broken,     \* the ids of holds of which a fault broke what was promised
  unmodelled  \* how many calls were not checked: the model has nothing of what they did

others == <<replica, requests, answers, lag, client, faults, history>>
traced == <<trace, next, first, leases, over, given, broken, unmodelled>>

(***************************************************************************)
(* What a line says                                                        *)
(***************************************************************************)
IdOf(n) == IF n = 0 THEN None ELSE <<n, 0>>

(* The key before or after a call, as the model has it.                    *)
KeyOf(state) ==
  IF state.kind = "none" THEN NoKey
  ELSE [id |-> IdOf(state.id), from |-> state.from, length |-> state.length, last |-> state.last,
        retained |-> state.retained, stones |-> {<<IdOf(state.stones[j][1]), state.stones[j][2]>> : j \in DOMAIN state.stones}, expiry |-> state.expiry]

(* Not readers, named owners, or a change of the owner.                    *)
InModel(m) == m.before.kind # "other" /\ m.after.kind # "other" /\ m.op # "other"

Request(m, tokens) == [m EXCEPT !.id = IdOf(m.id), !.tokens = tokens]

(***************************************************************************)
(* Whether the model can follow a call                                     *)
(***************************************************************************)
(* A key is the same if the same hold ends at the same time.               *)
Same(k, l) ==
  /\ k.id = l.id /\ k.last = l.last
  /\ k.id # None => End(k) = End(l)
  /\ {s \in k.stones : s[2] >= TIME} = {s \in l.stones : s[2] >= TIME}

Untouched(m) == Same(KeyOf(m.after), KeyOf(m.before)) \/ Same(KeyOf(m.after), Healed(KeyOf(m.before)))

(* Only as many tokens are reserved as TIME comes to within a second.      *)
RanInTrace(m) ==
  LET ran == Ran(Request(m, m.tokens))
  IN  IF m.op # "retain" /\ ran.last > TIME + 1000000 THEN Ran(Request(m, 1)) ELSE ran

(* What the scripts call otherwise.                                        *)
Code(m) ==
  CASE m.code = "asked" -> "renewed"
    [] m.code = "ended" /\ m.op # "acquire" -> "gone"
    [] OTHER -> m.code

Answers(m, ran) ==
  /\ Code(m) = ran.code
  /\ m.left >= 0 => m.left = (IF m.code = "busy" THEN End(Healed(Present)) - TIME ELSE ran.left)
  /\ m.code \in {"granted", "going"} =>
       /\ m.token = m.after.first /\ m.highest = m.after.last
       /\ (m.code = "granted" /\ Present.id = IdOf(m.id)) \/ m.token = ran.token

(* A request may be refused for the sake of others: those that wait, or    *)
(* that asked for a retained hold.  And the scripts of the usual case      *)
(* leave every other to others.                                            *)
Refuses(m, ran) ==
  \/ m.code = "undecided"
  \/ m.op = "acquire" /\ m.code = "busy" /\ ((ran.code = "granted" /\ m.before.waited) \/ ran.code = "stale")
  \/ m.op = "acquire" /\ m.code = "clock" /\ m.floor > Max({key.last, TIME})
  \/ m.op = "retain" /\ m.code = "wanted" /\ ran.code = "going"
  \/ m.op = "retain" /\ m.code \in {"gone", "ended"} /\ ran.code = "spent"
  \/ m.op = "go_on" /\ m.code = "wanted" /\ ran.code = "going" /\ m.before.waited

(* The key outlives what it must remember by the token memory, at least.   *)
Outlives(k, memory) ==
  k = NoKey \/ k.expiry >= memory + Max({k.last, IF k.id = None THEN 0 ELSE End(k)} \cup {s[2] : s \in k.stones})

(* A lease that counts as held is held in Redis until then.                *)
Held(lease, k) == lease.until > now => k.id = lease.id /\ lease.until <= End(Healed(k)) - step

CanCall(m) ==
  /\ m.time = TIME
  /\ InModel(m) =>
       /\ Same(KeyOf(m.before), Present) /\ KeyOf(m.before).expiry = Present.expiry
       /\ IF m.op = "look" THEN Untouched(m)
          ELSE LET ran == RanInTrace(m)
               IN  IF ran.code = "busy" \/ ran.key = key \/ ~Answers(m, ran)
                     THEN (Answers(m, ran) \/ Refuses(m, ran)) /\ Untouched(m)
                     ELSE Same(KeyOf(m.after), ran.key)
       /\ Outlives(KeyOf(m.after), m.memory)
       /\ \A lease \in leases : Held(lease, KeyOf(m.after))

(***************************************************************************)
(* Faults                                                                  *)
(***************************************************************************)
(* Of a fault that keeps the data only the clock is felt.  A key that has  *)
(* expired is there again if the clock steps back before it is deleted,    *)
(* and what a failover finds may have expired.                             *)
Unknown == [NoKey EXCEPT !.expiry = -2]

CanStrike(m) ==
  (m.keeps /\ m.before.kind # "other") =>
    /\ Same(KeyOf(m.before), Present)
    /\ \/ KeyOf(m.after) = IF m.time < key.expiry THEN key ELSE NoKey
       \/ KeyOf(m.after) = NoKey /\ Present = NoKey
       \/ key = Unknown

KeyAfter(m) ==
  CASE m.line # "fault" \/ m.after.kind # "none" -> KeyOf(m.after)
    [] m.keeps /\ m.time < key.expiry -> NoKey
    [] m.keeps -> key
    [] OTHER -> Unknown

(* Whether it ends the hold earlier than was promised.                     *)
Breaks(m) ==
  LET after == KeyOf(m.after)
      from == IF after.from > m.time THEN m.time ELSE after.from
  IN  after.id # Present.id \/ from + after.length - m.time < End(Healed(Present)) - TIME

(***************************************************************************)
(* What a client relies on                                                 *)
(***************************************************************************)
LeaseOf(m) == [number |-> m.lease, client |-> m.client, id |-> IdOf(m.id), until |-> m.until]

CanHold(m) ==
  /\ m.lease \notin over
  /\ LeaseOf(m).id \in broken \/ Held(LeaseOf(m), Present)
  /\ (m.granted /\ LeaseOf(m).id \notin broken /\ m.until > now) =>
       m.token > given /\ m.token >= first /\ m.token <= key.last

(***************************************************************************)
(* The steps                                                               *)
(***************************************************************************)
Can(m) ==
  CASE m.line = "call" -> CanCall(m)
    [] m.line = "fault" -> CanStrike(m)
    [] m.line = "holds" -> CanHold(m)
    [] OTHER -> TRUE

Leases(m) ==
  CASE m.line = "holds" ->
         {l \in leases : l.number # m.lease} \cup (IF LeaseOf(m).id \in broken THEN {} ELSE {LeaseOf(m)})
    [] m.line = "ends" -> {l \in leases : l.number # m.lease}
    [] m.line = "doubtful" -> {l \in leases : l.client # m.client}
    [] OTHER -> {l \in leases : l.id \notin broken'}

Broken(m) ==
  IF (m.line = "fault" /\ Breaks(m)) \/ (m.line = "call" /\ ~InModel(m) /\ m.after.id # m.before.id)
    THEN broken \cup ({Present.id} \ {None}) ELSE broken

Given(m) ==
  CASE m.line = "holds" /\ m.granted /\ LeaseOf(m).id \notin broken -> m.token
    [] m.line = "fault" /\ (m.after.kind = "none" \/ ~m.keeps) -> 0
    [] OTHER -> given

Follow(m) ==
  /\ key' = IF m.line \in {"call", "fault"} THEN KeyAfter(m) ELSE key
  /\ first' = IF m.line \in {"call", "fault"} /\ key'.id # key.id THEN m.after.first ELSE first
  /\ broken' = Broken(m)
  /\ leases' = Leases(m)
  /\ over' = IF m.line = "ends" /\ m.over THEN over \cup {m.lease} ELSE over
  /\ given' = Given(m)
  /\ unmodelled' = unmodelled + IF m.line = "call" /\ ~InModel(m) THEN 1 ELSE 0
  /\ step' = IF m.line = "fault" THEN m.time - m.at ELSE step
  /\ next' = next + 1
  /\ now' = IF next' <= Length(trace) THEN Line(trace, next').at ELSE now
  /\ IF next' <= Length(trace) THEN TRUE ELSE PrintT(<<"followed", Name(trace), Length(trace), unmodelled'>>)

Reject(m) ==
  /\ PrintT(<<"rejected", Name(trace), next, m>>)
  /\ next' = Length(trace) + 1
  /\ UNCHANGED <<now, step, key, first, leases, over, given, broken, unmodelled>>

TraceInit ==
  /\ trace \in 1..Traces
  /\ next = 1 /\ first = 0 /\ leases = {} /\ over = {} /\ given = 0 /\ broken = {} /\ unmodelled = 0
  /\ now = Line(trace, 1).at /\ step = 0
  /\ key = NoKey
  /\ replica = 0 /\ requests = 0 /\ answers = 0 /\ lag = 0 /\ client = 0 /\ faults = 0 /\ history = 0

TraceNext ==
  /\ next <= Length(trace)
  /\ LET m == Line(trace, next) IN IF Can(m) THEN Follow(m) ELSE Reject(m)
  /\ UNCHANGED <<trace, others>>

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, traced>>
=============================================================================
