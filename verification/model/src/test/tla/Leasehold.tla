----------------------------- MODULE Leasehold -----------------------------
(***************************************************************************)
(* One exclusive lock on one server, as docs/protocol.md describes it:     *)
(* acquire, renew, release, hand-off within a client, retained holds,      *)
(* fencing tokens, and what is lost with data.  The queue of waiters,      *)
(* which grants nothing, is in LeaseholdQueue.                             *)
(*                                                                         *)
(* Every script takes a tick of the server, which so never grants twice at *)
(* one TIME.  A request may arrive late, twice or never, and so may its    *)
(* answer.  The clocks of clients lose ticks, TIME steps, and data is lost *)
(* as far as the constants allow.                                          *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Clients,       \* the clients, interchangeable
  Acquisitions,  \* how many each of them begins
  Copies,        \* how often it sends an acquire or a release; if more than once, a retain may
                 \* arrive any number of times
  Renewals,      \* how often it sends a renewal of a lease
  Horizon,       \* the last tick
  Lease,         \* how long a hold lasts after a grant or a renewal
  Patience,      \* how long after its sending a request may be granted
  Memory,     \* how long the key outlives its last use
  Drift,         \* how many ticks the clock of a client loses at most
  Block,         \* how many tokens belong to a grant
  Retain,        \* how long a hold is retained between two uses; 0 if never
  Back,          \* how far TIME steps back, once
  Forward,       \* how far it steps ahead, once
  Losses,        \* how data may be lost, each once: "flush", "failover"
  Without        \* a rule that is not obeyed, for a mutant; else ""

(* The rules without which a property below is violated.                   *)
Rules ==
  {"from the sending",   \* validity counts from the sending of the request
   "allow for drift",    \* less the drift of the clock
   "lost for good",      \* a lease whose validity is over is lost, whatever is answered later
   "only its holder",    \* a release removes the hold of its own id
   "live only",          \* a renewal finds only a hold that has not ended
   "never shorter",      \* a renewal does not lower an end
   "in time only",       \* no request is granted after its notAfter
   "tombstones",         \* a release refuses later copies of its acquire
   "until all is over",  \* a compensation ends once no copy can be granted any more
   "heal",               \* a hold of the future begins now
   "above the last",     \* a token is above the last
   "above TIME",         \* and at least TIME
   "above the floor",    \* and above all that its client has seen
   "all that were used", \* a release of a retained hold tells the last token that was used
   "give back the rest", \* and the next token follows that
   "retain once"}        \* a repeat of retain changes nothing

ASSUME Without \in Rules \cup {""}

(* How far TIME is ahead of the clocks at first, so that it may step back. *)
Ahead == 4

None == <<0, 0>>
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Obeyed(rule) == rule # Without

VARIABLES
  now,       \* the ticks since the beginning
  step,      \* how far TIME is ahead of them
  key,       \* the hash of the lock
  replica,   \* what a failover would find
  requests,  \* those that may still arrive
  answers,   \* those that may still arrive
  lag,       \* client -> how many ticks its clock has lost
  client,    \* client -> its state
  faults,    \* which faults have happened
  history    \* what the properties are about

vars == <<now, step, key, replica, requests, answers, lag, client, faults, history>>

TIME == now + step
Clock(c) == now - lag[c]

(***************************************************************************)
(* The server                                                              *)
(***************************************************************************)
(* id: of the hold; from, length: when it ends; last: the last token;      *)
(* retained: whether it was reserved for a hold that is retained; stones:  *)
(* id and time of each tombstone; expiry: when the key goes.               *)
NoKey == [id |-> None, from |-> 0, length |-> 0, last |-> 0, retained |-> FALSE, stones |-> {}, expiry |-> -1]

Present == IF TIME < key.expiry THEN key ELSE NoKey

Healed(k) == IF Obeyed("heal") /\ k.from > TIME THEN [k EXCEPT !.from = TIME] ELSE k
End(k) == k.from + k.length
Live(k) == k.id # None /\ TIME < End(k)

(* The key as a script leaves it.                                          *)
Kept(k) ==
  LET ends == {TIME, k.last, IF k.id = None THEN 0 ELSE End(k)} \cup {s[2] : s \in k.stones}
  IN  [k EXCEPT !.expiry = Max(ends) + Memory, !.stones = {s \in @ : s[2] >= TIME}]

(* What a script makes of the key, and what it answers: a code, how long   *)
(* the hold lasts, and its tokens.                                         *)
Changed(k, code, left, token, last) ==
  [key |-> Kept(k), code |-> code, left |-> left, token |-> token, last |-> last]

Refused(code) == [key |-> key, code |-> code, left |-> 0, token |-> 0, last |-> 0]

Acquire(m) ==
  LET k == Healed(Present)
      token == Max({1} \cup (IF Obeyed("above the last") THEN {k.last + 1} ELSE {})
                       \cup (IF Obeyed("above TIME") THEN {TIME} ELSE {})
                       \cup (IF Obeyed("above the floor") THEN {m.floor + 1} ELSE {}))
      last == token + m.tokens - 1
  IN  CASE Obeyed("in time only") /\ TIME > m.notAfter -> Refused("stale")
        [] \E s \in k.stones : s[1] = m.id /\ TIME <= s[2] -> Refused("stale")
        [] k.id = m.id /\ ~Live(k) -> Refused("ended")
        [] k.id = m.id /\ Live(k) -> Changed(k, "granted", End(k) - TIME, k.last - m.tokens + 1, k.last)
        [] k.id # m.id /\ Live(k) -> Changed([k EXCEPT !.retained = FALSE], "busy", 0, 0, 0)
        [] OTHER -> Changed([k EXCEPT !.id = m.id, !.from = TIME, !.length = m.lease, !.last = last, !.retained = FALSE],
                            "granted", m.lease, token, last)

Renew(m) ==
  LET k == Healed(Present)
      end == Max({IF Obeyed("never shorter") THEN End(k) ELSE 0, TIME + m.lease})
  IN  IF k.id = m.id /\ (Live(k) \/ ~Obeyed("live only"))
        THEN Changed([k EXCEPT !.from = TIME, !.length = end - TIME], "renewed", end - TIME, 0, 0)
        ELSE Refused("gone")

Release(m) ==
  LET k == Healed(Present)
      stoned == IF Obeyed("tombstones") /\ m.notAfter >= TIME
                  THEN [k EXCEPT !.stones = @ \cup {<<m.id, m.notAfter>>}] ELSE k
      back == m.used # 0 /\ k.id = m.id /\ (k.last = m.last \/ k.retained) /\ Obeyed("give back the rest")
      free == [stoned EXCEPT !.id = None, !.from = 0, !.length = 0, !.retained = FALSE,
                             !.last = IF back THEN Min({m.used, @}) ELSE @]
  IN  CASE k = NoKey -> Refused("gone")
        [] k # NoKey /\ k.id # None /\ (k.id = m.id \/ ~Obeyed("only its holder")) ->
             Changed(free, "released", 0, 0, 0)
        [] m.notAfter < TIME -> Refused("gone")
        [] OTHER -> Changed(stoned, "gone", 0, 0, 0)

(* Lowers the end of a hold that nobody uses, and reserves the tokens up   *)
(* to that time, at least one.  If it was retained before and may be used, *)
(* it does not lower it.                                                   *)
RetainHold(m) ==
  LET k == Healed(Present)
      token == Max({k.last + 1, TIME})
      last == Max({token, TIME + m.lease})
      end == Max({IF m.again THEN End(k) ELSE 0, TIME + m.lease})
  IN  IF k.id = m.id /\ Live(k) /\ (k.last = m.last \/ ~Obeyed("retain once"))
        THEN Changed([k EXCEPT !.from = TIME, !.length = end - TIME, !.last = last, !.retained = TRUE],
                     "going", end - TIME, token, last)
        ELSE Refused("spent")

(* Reserves further tokens for a hold that is handed off again and again.  *)
GoOn(m) ==
  LET k == Healed(Present)
      token == Max({k.last + 1, TIME})
      last == token + m.tokens - 1
      end == Max({End(k), TIME + m.lease})
  IN  IF k.id = m.id /\ Live(k)
        THEN Changed([k EXCEPT !.from = TIME, !.length = end - TIME, !.last = last, !.retained = FALSE],
                     "going", end - TIME, token, last)
        ELSE Refused("gone")

Ran(m) ==
  CASE m.op = "acquire" -> Acquire(m)
    [] m.op = "go_on" -> GoOn(m)
    [] m.op = "renew" -> Renew(m)
    [] m.op = "release" -> Release(m)
    [] m.op = "retain" -> RetainHold(m)

(* Answers are left out to which the client does not listen any more, and  *)
(* those that only make it end the acquisition, as it may at any moment.   *)
Heard(m, code) ==
  LET c == m.id[1]
  IN  /\ client[c].n = m.id[2]
      /\ CASE client[c].phase = "asking" -> code = "granted"
           [] client[c].phase = "holding" -> code \in {"renewed", "going"}
           [] client[c].phase = "keeping" -> code = "going"
           [] client[c].phase = "ending" -> m.op = "release"
           [] OTHER -> FALSE

Execute(m) ==
  LET ran == Ran(m)
      first == ran.code = "granted" /\ Healed(Present).id # m.id
  IN  /\ now < Horizon /\ now' = now + 1
      /\ requests' \in {requests \ {m}} \cup (IF m.op = "retain" /\ Copies > 1 THEN {requests} ELSE {})
      /\ key' = ran.key
      /\ answers' = answers \cup (IF Heard(m, ran.code)
           THEN {[id |-> m.id, at |-> m.at, code |-> ran.code, time |-> TIME, left |-> ran.left,
                  token |-> ran.token, last |-> ran.last,
                  lease |-> IF m.op = "renew" THEN m.lease ELSE Lease]}
           ELSE {})
      /\ history' = [history EXCEPT
           !.given = IF first THEN Max({@, ran.token}) ELSE @,
           !.disorder = @ \/ (first /\ ran.token <= history.given),
           !.ahead = @ \/ (first /\ Block = 1 /\ faults = {} /\ ran.token > TIME + 1),
           !.late = @ \/ (first /\ TIME > m.notAfter),
           !.longer = @ \/ (Live(ran.key) /\ End(Healed(ran.key)) > TIME + Lease),
           !.revived = @ \/ (ran.code = "renewed" /\ ~Live(Healed(Present)))]
      /\ UNCHANGED <<step, replica, lag, client, faults>>

(***************************************************************************)
(* The clients                                                             *)
(***************************************************************************)
(* phase: idle, asking, holding, keeping (retain was sent), retained, or   *)
(* ending (release was sent); n: the number of the acquisition; sent,      *)
(* renewals: how many copies of its acquire or release were sent, and how  *)
(* many renewals; until: the latest notAfter of a copy of its acquire that *)
(* may still arrive, 0 if none; valid, end: until when the lease counts as *)
(* held, and the hold lasts, by the clock of the client; token, last: the  *)
(* last token that was given out, and the last of the hold; used: the same *)
(* if the hold was retained, else 0; unknown: whether the release is a     *)
(* compensation; floor: the highest token that the client has seen.        *)
Idle == [phase |-> "idle", n |-> 0, sent |-> 0, renewals |-> 0, until |-> 0, valid |-> 0, end |-> 0,
         token |-> 0, last |-> 0, used |-> 0, unknown |-> FALSE, floor |-> 0]

Id(c) == <<c, client[c].n>>
InTime(c) == Clock(c) < client[c].valid
Valid(c) == client[c].phase = "holding" /\ InTime(c)

OneCopy(c) == client[c].sent = 1
Send(m) == requests' = requests \cup {m}

(* What is answered later to questions of a former phase is not heard.     *)
Deaf(c) == answers' = {a \in answers : a.id[1] # c}
Unchanged == UNCHANGED <<now, step, key, replica, lag, faults>>

(* As a client computes it that has learned TIME at first.                 *)
NotAfter(c) == Clock(c) + Ahead + Patience

Ask(c) ==
  /\ \/ client[c].phase = "idle" /\ client[c].n < Acquisitions
     \/ client[c].phase = "asking" /\ client[c].sent < Copies
  /\ LET n == IF client[c].phase = "idle" THEN client[c].n + 1 ELSE client[c].n
         sent == IF client[c].phase = "idle" THEN 1 ELSE client[c].sent + 1
     IN  /\ client' = [client EXCEPT ![c].phase = "asking", ![c].n = n, ![c].sent = sent, ![c].used = 0,
                                     ![c].until = Max({NotAfter(c), IF sent = 1 THEN 0 ELSE @})]
         /\ Send([op |-> "acquire", id |-> <<c, n>>, at |-> Clock(c), lease |-> Lease, tokens |-> Block,
                  notAfter |-> NotAfter(c), floor |-> client[c].floor])
  /\ UNCHANGED <<answers, history>> /\ Unchanged

(* With 0 it only asks whether the hold is there.                          *)
AskRenewal(c) ==
  /\ Valid(c) /\ client[c].renewals < Renewals
  /\ client' = [client EXCEPT ![c].renewals = @ + 1]
  /\ \E lease \in {0, Lease} : Send([op |-> "renew", id |-> Id(c), at |-> Clock(c), lease |-> lease])
  /\ UNCHANGED <<answers, history>> /\ Unchanged

(* A token of the hold is given out without a request.                     *)
Give(c, token, used) ==
  /\ client' = [client EXCEPT ![c].phase = "holding", ![c].token = token, ![c].used = used,
                              ![c].floor = Max({@, token})]
  /\ history' = [history EXCEPT !.given = Max({@, token}),
                                !.disorder = @ \/ (faults = {} /\ token <= history.given)]
  /\ UNCHANGED <<requests, answers>> /\ Unchanged

(* Of a retained hold a token is given out only when TIME has come to it,  *)
(* as far as the client knows.                                             *)
HasCome(c, token) == token <= Clock(c) + Ahead

(* The next caller of the same client has the next token of the hold.      *)
HandOff(c) ==
  /\ Valid(c) /\ client[c].token < client[c].last
  /\ LET token == client[c].token + 1
     IN  IF client[c].used = 0 THEN Give(c, token, 0) ELSE HasCome(c, token) /\ Give(c, token, token)

(* After the last token it asks for more.                                  *)
AskMore(c) ==
  /\ Block > 1 /\ Valid(c) /\ client[c].token = client[c].last /\ client[c].renewals < Renewals
  /\ client' = [client EXCEPT ![c].renewals = @ + 1]
  /\ Send([op |-> "go_on", id |-> Id(c), at |-> Clock(c), lease |-> Lease, tokens |-> Block])
  /\ UNCHANGED <<answers, history>> /\ Unchanged

Keep(c) ==
  /\ Retain > 0 /\ Valid(c)
  /\ client' = [client EXCEPT ![c].phase = "keeping"]
  /\ Send([op |-> "retain", id |-> Id(c), at |-> Clock(c), lease |-> Retain, last |-> client[c].last,
           again |-> FALSE])
  /\ Deaf(c) /\ UNCHANGED history /\ Unchanged

(* A retained hold is used again, without a request.                       *)
Reuse(c) ==
  /\ client[c].phase = "retained" /\ InTime(c) /\ client[c].token < client[c].last
  /\ HasCome(c, client[c].token + 1)
  /\ Give(c, client[c].token + 1, client[c].token + 1)

(* The caller releases or gives up, the lease is lost, or a retained hold  *)
(* is not used.  The request may be repeated.                              *)
AskRelease(c, state) ==
  Send([op |-> "release", id |-> Id(c), at |-> Clock(c), notAfter |-> state.until, last |-> state.last,
        used |-> IF state.used = 0 \/ Obeyed("all that were used") THEN state.used ELSE state.used - 1])

Ending(c, unknown) == [client[c] EXCEPT !.phase = "ending", !.sent = 1, !.unknown = unknown]

Finish(c) ==
  /\ client[c].phase \in {"asking", "holding", "keeping", "retained"}
  /\ client' = [client EXCEPT ![c] = Ending(c, client[c].phase = "asking" \/ ~InTime(c))]
  /\ AskRelease(c, client[c])
  /\ Deaf(c) /\ UNCHANGED history /\ Unchanged

ReleaseAgain(c) ==
  /\ client[c].phase = "ending" /\ client[c].sent < Copies
  /\ client' = [client EXCEPT ![c].sent = @ + 1]
  /\ AskRelease(c, client[c])
  /\ UNCHANGED <<answers, history>> /\ Unchanged

(* The validity that an answer proves: from the sending, and at most what  *)
(* was requested or was known before.                                      *)
Proved(c, a) ==
  LET known == client[c].end - a.at
      span == Min({Max({a.lease, known}), a.left})
      from == IF Obeyed("from the sending") THEN a.at ELSE Clock(c)
  IN  from + span

Allowed == IF Obeyed("allow for drift") THEN Drift ELSE 0

Granted(c, a) ==
  LET end == Proved(c, a)
  IN  IF Clock(c) < end - Allowed
        THEN /\ client' = [client EXCEPT ![c].phase = "holding", ![c].valid = end - Allowed, ![c].end = end,
                                         ![c].token = a.token, ![c].last = a.last,
                                         ![c].floor = Max({@, a.token}),
                                         ![c].until = IF OneCopy(c) THEN 0 ELSE @]
             /\ history' = [history EXCEPT !.fell = @ \/ a.token <= client[c].floor]
        ELSE UNCHANGED <<client, history>>

Renewed(c, a) ==
  LET end == Proved(c, a)
      valid == Max({client[c].valid, end - Allowed})
  IN  /\ client' = IF InTime(c) \/ ~Obeyed("lost for good")
                     THEN [client EXCEPT ![c].valid = valid, ![c].end = Max({@, end})]
                     ELSE client
      /\ history' = [history EXCEPT !.revived = @ \/ (~InTime(c) /\ Clock(c) < client'[c].valid)]

GoneOn(c, a) ==
  LET end == Proved(c, a)
  IN  /\ client' = IF InTime(c)
                     THEN [client EXCEPT ![c].valid = Max({@, end - Allowed}), ![c].end = Max({@, end}),
                                         ![c].token = a.token - 1, ![c].last = a.last]
                     ELSE client
      /\ UNCHANGED history

Going(c, a) ==
  LET end == a.at + a.left
  IN  /\ client' = [client EXCEPT ![c].phase = "retained", ![c].valid = end - Allowed, ![c].end = end,
                                  ![c].used = client[c].token, ![c].token = a.token - 1, ![c].last = a.last]
      /\ UNCHANGED history

(* The termination is over once no copy of the acquire can be granted.     *)
Released(c, a) ==
  IF ~client[c].unknown \/ client[c].until = 0 \/ a.time > client[c].until \/ ~Obeyed("until all is over")
    THEN /\ client' = [client EXCEPT ![c] = [Idle EXCEPT !.n = client[c].n, !.floor = client[c].floor]]
         /\ history' = [history EXCEPT !.over = @ \cup {Id(c)}]
    ELSE UNCHANGED <<client, history>>

Receive(c, a) ==
  /\ now < Horizon /\ a.id = Id(c)
  /\ IF a.code \in {"granted", "going"} THEN Deaf(c) ELSE answers' = answers \ {a}
  /\ CASE a.code = "granted" -> Granted(c, a)
       [] a.code = "renewed" -> Renewed(c, a)
       [] a.code = "going" /\ client[c].phase = "holding" -> GoneOn(c, a)
       [] a.code = "going" /\ client[c].phase = "keeping" -> Going(c, a)
       [] a.code \in {"released", "gone"} -> Released(c, a)
  /\ UNCHANGED requests /\ Unchanged

(***************************************************************************)
(* Time and faults                                                         *)
(***************************************************************************)
Tick ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ \E slow \in SUBSET {c \in Clients : lag[c] < Drift} :
       lag' = [c \in Clients |-> IF c \in slow THEN lag[c] + 1 ELSE lag[c]]
  /\ UNCHANGED <<step, key, replica, requests, answers, client, faults, history>>

Fault(name) == name \notin faults /\ faults' = faults \cup {name}

Step(name, by) ==
  /\ by # 0 /\ Fault(name)
  /\ step' = step + by
  /\ UNCHANGED <<now, key, replica, requests, answers, lag, client, history>>

Replicate ==
  /\ "failover" \in Losses \ faults /\ replica # key
  /\ replica' = key
  /\ UNCHANGED <<now, step, key, requests, answers, lag, client, faults, history>>

Lose(name, found) ==
  /\ name \in Losses /\ Fault(name)
  /\ key' = found
  /\ UNCHANGED <<now, step, replica, requests, answers, lag, client, history>>

Init ==
  /\ now = 0 /\ step = Ahead
  /\ key = NoKey /\ replica = NoKey
  /\ requests = {} /\ answers = {}
  /\ lag = [c \in Clients |-> 0]
  /\ client = [c \in Clients |-> Idle]
  /\ faults = {}
  /\ history = [given |-> 0, over |-> {}, disorder |-> FALSE, fell |-> FALSE, ahead |-> FALSE, late |-> FALSE,
                longer |-> FALSE, revived |-> FALSE]

Next ==
  \/ Tick
  \/ \E m \in requests : Execute(m)
  \/ \E c \in Clients :
       \/ /\ now < Horizon
          /\ Ask(c) \/ AskRenewal(c) \/ Finish(c) \/ ReleaseAgain(c) \/ HandOff(c) \/ AskMore(c) \/ Keep(c) \/ Reuse(c)
       \/ \E a \in answers : Receive(c, a)
  \/ Step("back", -Back) \/ Step("forward", Forward)
  \/ Replicate \/ Lose("flush", NoKey) \/ Lose("failover", replica)

Symmetry == Permutations(Clients)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What docs/guarantees.md promises; a case names those that its faults    *)
(* leave.                                                                  *)
(***************************************************************************)
Exclusion == \A c, d \in Clients : c # d => ~(Valid(c) /\ Valid(d))

(* Stronger: whoever may use the lock has it in Redis.                     *)
HeldInRedis == \A c \in Clients : Valid(c) => Live(Present) /\ Present.id = Id(c)

(* Each grant has a token above all that were given out before.            *)
TokensRise == ~history.disorder

(* No client is given a token that is not above those that it has seen.    *)
FloorRises == ~history.fell

(* Without blocks of tokens and faults, a token is the TIME of its grant,  *)
(* or follows one.                                                         *)
TokensAreTimes == ~history.ahead

NeverLate == ~history.late
NoRevival == ~history.revived

(* After a step back a hold lasts for no more than its length.             *)
NeverLonger == ~history.longer

(* Once a client has ended an acquisition, nothing of it is left.          *)
NothingLeft == ~(Live(Present) /\ Present.id \in history.over)
=============================================================================
