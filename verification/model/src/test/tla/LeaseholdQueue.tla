--------------------------- MODULE LeaseholdQueue ---------------------------
(***************************************************************************)
(* The queue of one lock, as docs/protocol/client.md describes it:         *)
(* positions in the order of arrival, wake-ups, which are hints and may be *)
(* lost, reservations for the head, barging, fair waiting, waiters and     *)
(* holders that die.  It is about one question: is everybody served who    *)
(* waits, if those who hold the lock end?                                  *)
(*                                                                         *)
(* There is no clock: what happens after some time may happen at any       *)
(* moment.  That a waiter polls after a lost wake-up, and that a hold ends,*)
(* is fairness.                                                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Clients,    \* the clients
  Fair,       \* whether they wait fairly
  Overtakes,  \* after how many acquisitions that overtake the head the lock is reserved for it
  Crashes,    \* how many clients die
  Without     \* a rule that is not obeyed, for a mutant; else ""

(* The rules without which a waiter is never served.                       *)
Rules ==
  {"reserve after overtaking",  \* a release after so many reserves the lock for the head
   "the dead lose their place"} \* a head that does not poll loses its position

ASSUME Without \in Rules \cup {""}
Obeyed(rule) == rule # Without

None == 0
ASSUME None \notin Clients

VARIABLES
  holder,     \* who holds the lock, or None
  queue,      \* the clients that have a position
  reserved,   \* for whom the lock is reserved, or None
  overtaken,  \* how many acquisitions have overtaken the head
  state,      \* client -> "out", "waiting", "holding" or "dead"
  crashes     \* how many have died

vars == <<holder, queue, reserved, overtaken, state, crashes>>

Has(c) == \E i \in 1..Len(queue) : queue[i] = c
IsHead(c) == queue # <<>> /\ Head(queue) = c
Less(c) == SelectSeq(queue, LAMBDA other : other # c)

MayTake(c) ==
  /\ holder = None
  /\ reserved \in {None, c}
  /\ Fair => queue = <<>> \/ IsHead(c)

(* An attempt of a client that waits, or that arrives.                     *)
Attempt(c) ==
  /\ state[c] \in {"out", "waiting"}
  /\ IF MayTake(c)
       THEN /\ holder' = c
            /\ state' = [state EXCEPT ![c] = "holding"]
            /\ queue' = Less(c)
            /\ overtaken' = IF queue = <<>> \/ IsHead(c) THEN 0
                            ELSE IF overtaken < Overtakes THEN overtaken + 1 ELSE overtaken
            /\ reserved' = None
       ELSE /\ state' = [state EXCEPT ![c] = "waiting"]
            /\ queue' = IF Has(c) THEN queue ELSE Append(queue, c)
            /\ UNCHANGED <<holder, reserved, overtaken>>
  /\ UNCHANGED crashes

(* The head is woken.  If the hold was long, or many have overtaken the    *)
(* head, the lock is also reserved for it.                                 *)
Release(c) ==
  /\ holder = c /\ state[c] = "holding"
  /\ holder' = None
  /\ state' = [state EXCEPT ![c] = "out"]
  /\ reserved' \in IF queue = <<>> THEN {None}
                   ELSE IF overtaken >= Overtakes /\ Obeyed("reserve after overtaking") THEN {Head(queue)}
                   ELSE {None, Head(queue)}
  /\ UNCHANGED <<queue, overtaken, crashes>>

(* The lease of a dead holder ends.                                        *)
HoldEnds ==
  /\ holder # None /\ state[holder] = "dead"
  /\ holder' = None
  /\ UNCHANGED <<queue, reserved, overtaken, state, crashes>>

(* Also if the head does not come.                                         *)
ReservationEnds ==
  /\ reserved # None
  /\ reserved' = None
  /\ UNCHANGED <<holder, queue, overtaken, state, crashes>>

Drop(c) ==
  /\ queue' = Less(c)
  /\ overtaken' = IF queue' = <<>> THEN 0 ELSE overtaken
  /\ reserved' = IF reserved = c THEN None ELSE reserved

(* Attempts of others remove a head that has not polled for 7 s.           *)
DeadHeadGoes ==
  /\ Obeyed("the dead lose their place")
  /\ queue # <<>> /\ state[Head(queue)] = "dead"
  /\ Drop(Head(queue))
  /\ UNCHANGED <<holder, state, crashes>>

(* They also remove a fair head that was woken and did not come in time.   *)
(* If it lives, its next poll takes a position at the end.                 *)
SlowHeadGoes ==
  /\ Fair /\ holder = None /\ queue # <<>> /\ state[Head(queue)] = "waiting"
  /\ Drop(Head(queue))
  /\ UNCHANGED <<holder, state, crashes>>

Leave(c) ==
  /\ state[c] = "waiting"
  /\ state' = [state EXCEPT ![c] = "out"]
  /\ Drop(c)
  /\ UNCHANGED <<holder, crashes>>

Crash(c) ==
  /\ crashes < Crashes /\ state[c] \in {"waiting", "holding"}
  /\ crashes' = crashes + 1
  /\ state' = [state EXCEPT ![c] = "dead"]
  /\ UNCHANGED <<holder, queue, reserved, overtaken>>

Init ==
  /\ holder = None /\ queue = <<>> /\ reserved = None /\ overtaken = 0 /\ crashes = 0
  /\ state = [c \in Clients |-> "out"]

Next ==
  \/ \E c \in Clients : Attempt(c) \/ Release(c) \/ Leave(c) \/ Crash(c)
  \/ HoldEnds \/ ReservationEnds \/ DeadHeadGoes \/ SlowHeadGoes

(* Holders end; waiters poll; time passes.  And a head for which the lock  *)
(* is free again and again comes in time once: without fair waiting only   *)
(* while the lock is reserved for it, because others may be faster.        *)
InTime(c) == Attempt(c) /\ IsHead(c) /\ MayTake(c) /\ (Fair \/ reserved = c)

Fairness ==
  /\ WF_vars(HoldEnds) /\ WF_vars(ReservationEnds) /\ WF_vars(DeadHeadGoes)
  /\ \A c \in Clients :
       /\ WF_vars(Release(c))
       /\ WF_vars(state[c] = "waiting" /\ Attempt(c))
       /\ SF_vars(InTime(c))

Spec == Init /\ [][Next]_vars /\ Fairness

(* A grant always leaves the lock to one client.                           *)
OneHolder == \A c \in Clients : state[c] = "holding" <=> holder = c /\ state[c] # "dead"

(* Nobody waits for ever.                                                  *)
Served == \A c \in Clients : state[c] = "waiting" ~> state[c] # "waiting"
=============================================================================
