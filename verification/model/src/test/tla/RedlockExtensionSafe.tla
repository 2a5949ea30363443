------------------------ MODULE RedlockExtensionSafe ------------------------
(***************************************************************************)
(* Renewal of a lease over a quorum of independent servers ("nodes"): the  *)
(* protocol to use.                                                        *)
(*                                                                         *)
(* Three nodes, of which two are a majority, and two clients, each of      *)
(* which acquires once.  A node keeps one key: the client that has it and  *)
(* the incarnation, a number that the client gives to each value it ever   *)
(* wrote there.  A node may lose its key at any moment, MaxLoss times in   *)
(* all: a restart without data, an eviction, a clock that jumped.          *)
(*                                                                         *)
(* Time is not in the model.  What ends a lease by time, its holder obeys  *)
(* on top of this: an expired key is a lost key whose holder knows it.     *)
(*                                                                         *)
(* A holder renews in rounds.                                              *)
(* (1) The grant confirms the nodes that granted.                          *)
(* (2) A round only extends: "if the key has exactly this value".          *)
(* (3) It succeeds if a majority of nodes extended that were confirmed     *)
(*     before.                                                             *)
(* (4) A node that says "not yours" is dropped; silence changes nothing.   *)
(* (5) A node that is not there is repaired apart from all rounds, under   *)
(*     an incarnation that was never used, so that a late copy of an       *)
(*     earlier repair can never look like the present one.                 *)
(* (6) A repaired node counts only if its repair was acknowledged before a *)
(*     later round began, it extended in that round, and that round        *)
(*     succeeded without it.                                               *)
(* (7) A round without a majority is repeated while there is time, or else *)
(*     the lease is lost: all is released everywhere.                      *)
(*                                                                         *)
(* The model is of renewal.  A grant here is what a node answers to the    *)
(* one request of an acquire: that it has the key, and that it can have    *)
(* forgotten none.  Nodes that may have do not grant (they lose their key, *)
(* as any may, and come back when the time is over).  Fencing tokens are   *)
(* not in it: CommonTokenTest of the core goes through their schedules.    *)
(*                                                                         *)
(* With MaxInc = 1 no node is ever repaired.  Leasehold repairs none       *)
(* either, but a node whose grant is heard after the lock is held is one   *)
(* of (6): its request is on its way when the lock is held, as a repair    *)
(* is that is sent at that moment.                                         *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  MaxLoss,  \* how many keys are lost in all
  MaxInc    \* the last incarnation a client may use; the grant has 1

N == {1, 2, 3}
C == {1, 2}

VARIABLES
  key,     \* node -> what lies there: o = client or 0, i = incarnation
  hold,    \* client -> whether it believes that it holds the lock
  done,    \* client -> whether it has held, or given up, for good
  acq,     \* client -> nodes that granted
  cur,     \* client -> node -> its incarnation there, 0 if none
  st,      \* client -> node -> "none", "prov", "ack" or "conf"
  nxt,     \* client -> the next incarnation
  msgs,    \* repairs on their way to a node
  rep,     \* acknowledgements of repairs, on their way back
  inR,     \* client -> whether a round is under way
  todo,    \* client -> nodes that the round has still to ask
  E,       \* client -> nodes that extended in this round
  A,       \* client -> nodes that said "not yours" in this round
  ackS,    \* client -> nodes whose repair was acknowledged when the round began
  missed,  \* client -> whether another had a majority while it held
  snap,    \* client -> the same, when the round began
  bad,     \* whether a round that succeeded hid that from its holder
  losses   \* how many keys were lost

vars == <<key, hold, done, acq, cur, st, nxt, msgs, inR, todo, E, A, snap, bad, losses, rep, ackS>>

Free0 == [o |-> 0, i |-> 0]

Own(k, c) == Cardinality({n \in N : k[n].o = c}) >= 2

Init ==
  /\ key = [n \in N |-> Free0]
  /\ hold = [c \in C |-> FALSE]
  /\ done = [c \in C |-> FALSE]
  /\ acq = [c \in C |-> {}]
  /\ cur = [c \in C |-> [n \in N |-> 0]]
  /\ st = [c \in C |-> [n \in N |-> "none"]]
  /\ nxt = [c \in C |-> 2]
  /\ msgs = {}
  /\ rep = {}
  /\ inR = [c \in C |-> FALSE]
  /\ todo = [c \in C |-> {}]
  /\ E = [c \in C |-> {}]
  /\ A = [c \in C |-> {}]
  /\ ackS = [c \in C |-> {}]
  /\ missed = [c \in C |-> FALSE]
  /\ snap = [c \in C |-> FALSE]
  /\ bad = FALSE
  /\ losses = 0

(* A node that is free grants.  Whether the client hears of it does not    *)
(* matter: what it did not hear of, it does not count.                     *)
AcqStep(c, n) ==
  /\ ~hold[c] /\ ~done[c] /\ key[n].o = 0
  /\ key' = [key EXCEPT ![n] = [o |-> c, i |-> 1]]
  /\ acq' = [acq EXCEPT ![c] = @ \cup {n}]
  /\ UNCHANGED <<hold, done, cur, st, nxt, msgs, inR, todo, E, A, snap, bad, losses, rep, ackS>>

(* A majority granted.  The nodes that did are confirmed (1).              *)
Grant(c) ==
  /\ ~hold[c] /\ ~done[c] /\ Cardinality(acq[c]) >= 2
  /\ hold' = [hold EXCEPT ![c] = TRUE]
  /\ cur' = [cur EXCEPT ![c] = [n \in N |-> IF n \in acq[c] THEN 1 ELSE 0]]
  /\ st' = [st EXCEPT ![c] = [n \in N |-> IF n \in acq[c] THEN "conf" ELSE "none"]]
  /\ UNCHANGED <<key, done, acq, nxt, msgs, inR, todo, E, A, snap, bad, losses, rep, ackS>>

FreeAll(c) == key' = [n \in N |-> IF key[n].o = c THEN Free0 ELSE key[n]]

(* Every incarnation on every node; the values are never used again.       *)
Release(c) ==
  /\ ~done[c] /\ (hold[c] \/ acq[c] # {}) /\ ~inR[c]
  /\ FreeAll(c)
  /\ hold' = [hold EXCEPT ![c] = FALSE]
  /\ done' = [done EXCEPT ![c] = TRUE]
  /\ UNCHANGED <<acq, cur, st, nxt, msgs, inR, todo, E, A, snap, bad, losses, rep, ackS>>

Lose(n) ==
  /\ losses < MaxLoss /\ key[n].o # 0
  /\ key' = [key EXCEPT ![n] = Free0]
  /\ losses' = losses + 1
  /\ UNCHANGED <<hold, done, acq, cur, st, nxt, msgs, inR, todo, E, A, snap, bad, rep, ackS>>

(* A repair is sent (5): outside of rounds, under a fresh incarnation.     *)
AddSend(c, n) ==
  /\ hold[c] /\ ~inR[c] /\ st[c][n] = "none" /\ nxt[c] <= MaxInc
  /\ msgs' = msgs \cup {[c |-> c, n |-> n, i |-> nxt[c]]}
  /\ cur' = [cur EXCEPT ![c][n] = nxt[c]]
  /\ st' = [st EXCEPT ![c][n] = "prov"]
  /\ nxt' = [nxt EXCEPT ![c] = @ + 1]
  /\ UNCHANGED <<key, hold, done, acq, inR, todo, E, A, snap, bad, losses, rep, ackS>>

(* It arrives whenever it likes, also in the middle of a later round, or   *)
(* after the release.                                                      *)
Deliver(m) ==
  /\ m \in msgs
  /\ msgs' = msgs \ {m}
  /\ key' = [key EXCEPT ![m.n] = IF @.o = 0 THEN [o |-> m.c, i |-> m.i] ELSE @]
  /\ rep' = IF key[m.n].o = 0 THEN rep \cup {m} ELSE rep
  /\ UNCHANGED <<hold, done, acq, cur, st, nxt, inR, todo, E, A, snap, bad, losses, ackS>>

(* Its acknowledgement counts only if it is that of the present one.       *)
Ack(m) ==
  /\ m \in rep
  /\ rep' = rep \ {m}
  /\ st' = IF cur[m.c][m.n] = m.i /\ st[m.c][m.n] = "prov" THEN [st EXCEPT ![m.c][m.n] = "ack"] ELSE st
  /\ UNCHANGED <<key, hold, done, acq, cur, nxt, msgs, inR, todo, E, A, snap, bad, losses, ackS>>

Start(c) ==
  /\ hold[c] /\ ~inR[c]
  /\ inR' = [inR EXCEPT ![c] = TRUE]
  /\ todo' = [todo EXCEPT ![c] = N]
  /\ E' = [E EXCEPT ![c] = {}]
  /\ A' = [A EXCEPT ![c] = {}]
  /\ snap' = [snap EXCEPT ![c] = missed[c]]
  /\ ackS' = [ackS EXCEPT ![c] = {n \in N : st[c][n] = "ack"}]
  /\ UNCHANGED <<key, hold, done, acq, cur, st, nxt, msgs, bad, losses, rep>>

(* A node is asked to extend (2): it does, or says "not yours", or nothing *)
(* is heard of it.                                                         *)
Visit(c, n) ==
  /\ inR[c] /\ n \in todo[c]
  /\ todo' = [todo EXCEPT ![c] = @ \ {n}]
  /\ \/ /\ cur[c][n] # 0 /\ key[n] = [o |-> c, i |-> cur[c][n]]
        /\ E' = [E EXCEPT ![c] = @ \cup {n}]
        /\ UNCHANGED A
     \/ /\ ~(cur[c][n] # 0 /\ key[n] = [o |-> c, i |-> cur[c][n]])
        /\ A' = [A EXCEPT ![c] = @ \cup {n}]
        /\ UNCHANGED E
     \/ UNCHANGED <<E, A>>
  /\ UNCHANGED <<key, hold, done, acq, cur, st, nxt, msgs, inR, snap, bad, losses, rep, ackS>>

(* (3) *)
Quorum(c) == Cardinality({n \in E[c] : st[c][n] = "conf"}) >= 2

(* (4) *)
Drop(c) == [n \in N |-> IF n \in A[c] THEN "none" ELSE st[c][n]]

Finish(c) ==
  /\ inR[c] /\ todo[c] = {}
  /\ inR' = [inR EXCEPT ![c] = FALSE]
  /\ \/ \* It succeeds, and confirms what was repaired before it began (6).
        /\ Quorum(c)
        /\ bad' = (bad \/ snap[c])
        /\ st' = [st EXCEPT ![c] = [n \in N |->
             IF n \in E[c] /\ (st[c][n] = "conf" \/ n \in ackS[c]) THEN "conf" ELSE Drop(c)[n]]]
        /\ cur' = [cur EXCEPT ![c] = [n \in N |-> IF n \in A[c] THEN 0 ELSE cur[c][n]]]
        /\ UNCHANGED <<key, hold, done>>
     \/ \* It is repeated while there is time (7).
        /\ ~Quorum(c)
        /\ st' = [st EXCEPT ![c] = Drop(c)]
        /\ cur' = [cur EXCEPT ![c] = [n \in N |-> IF n \in A[c] THEN 0 ELSE cur[c][n]]]
        /\ UNCHANGED <<bad, key, hold, done>>
     \/ \* There is no time: lost.
        /\ ~Quorum(c)
        /\ FreeAll(c)
        /\ hold' = [hold EXCEPT ![c] = FALSE]
        /\ done' = [done EXCEPT ![c] = TRUE]
        /\ UNCHANGED <<bad, st, cur>>
  /\ UNCHANGED <<acq, nxt, msgs, todo, E, A, snap, losses, rep, ackS>>

Act ==
  \/ \E c \in C : Grant(c) \/ Release(c) \/ Start(c) \/ Finish(c)
                  \/ \E n \in N : AcqStep(c, n) \/ Visit(c, n) \/ AddSend(c, n)
  \/ \E n \in N : Lose(n)
  \/ \E m \in msgs : Deliver(m)
  \/ \E m \in rep : Ack(m)

Next == Act /\ missed' = [c \in C |-> hold'[c] /\ (missed[c] \/ \E d \in C \ {c} : Own(key', d))]

(* A round that succeeds never hides that another client had a majority    *)
(* before that round began.                                                *)
Certificate == ~bad

(* Never do both believe that they hold the lock.  It holds while no key   *)
(* is lost.  After a loss no protocol of renewal can keep it within one    *)
(* interval; a fencing token does.                                         *)
Mutex == ~(hold[1] /\ hold[2])

(* To be refuted, or the model proves nothing: a repaired node never       *)
(* counts.                                                                 *)
NothingRepaired == ~(\E c \in C, n \in N : cur[c][n] > 1 /\ st[c][n] = "conf")
=============================================================================
