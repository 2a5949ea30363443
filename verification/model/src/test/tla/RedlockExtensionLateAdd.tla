---------------------- MODULE RedlockExtensionLateAdd ----------------------
(***************************************************************************)
(* Refuted: RedlockExtensionSyncAdd with Safe = TRUE, but for this: the    *)
(* request that takes a key again may sit in a socket, and take effect     *)
(* later, also in the middle of a later round.                             *)
(*                                                                         *)
(* It goes wrong with one lost key.  The holder has two nodes; a round     *)
(* asks for the third, and that request sits.  A later round begins, and   *)
(* both nodes extend.  Then one of them loses the key; another client is   *)
(* granted that one and the third, uses the lock, and releases.  Now the   *)
(* late request lands, and the third node extends too: in a round that was *)
(* begun before all this, so that it succeeds rightly, but leaves three    *)
(* nodes that count, of which two are not what they were.                  *)
(*                                                                         *)
(* Each client acquires once, and its values are its own, so that nothing  *)
(* but this can go wrong.                                                  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANT MaxLoss  \* how many keys are lost in all

N == {1, 2, 3}
C == {1, 2}

VARIABLES
  key,     \* node -> the client that has it, 0 if none
  hold,    \* client -> whether it believes that it holds the lock
  done,    \* client -> whether it has held, or given up, for good
  acq,     \* client -> nodes that granted
  conf,    \* client -> nodes that count
  msgs,    \* requests to take a key again, on their way
  inR,     \* client -> whether a round is under way
  todo,    \* client -> nodes that the round has still to ask
  E,       \* client -> nodes that extended in this round
  missed,  \* client -> whether another had a majority while it held
  snap,    \* client -> the same, when the round began
  bad,     \* whether a round that succeeded hid that from its holder
  losses   \* how many keys were lost

Own(k, c) == Cardinality({n \in N : k[n] = c}) >= 2

Init ==
  /\ key = [n \in N |-> 0]
  /\ hold = [c \in C |-> FALSE]
  /\ done = [c \in C |-> FALSE]
  /\ acq = [c \in C |-> {}]
  /\ conf = [c \in C |-> {}]
  /\ msgs = {}
  /\ inR = [c \in C |-> FALSE]
  /\ todo = [c \in C |-> {}]
  /\ E = [c \in C |-> {}]
  /\ missed = [c \in C |-> FALSE]
  /\ snap = [c \in C |-> FALSE]
  /\ bad = FALSE
  /\ losses = 0

AcqStep(c, n) ==
  /\ ~hold[c] /\ ~done[c] /\ key[n] = 0
  /\ key' = [key EXCEPT ![n] = c]
  /\ acq' = [acq EXCEPT ![c] = @ \cup {n}]
  /\ UNCHANGED <<hold, done, msgs, snap, todo, E, inR, bad, losses, conf>>

Grant(c) ==
  /\ ~hold[c] /\ ~done[c] /\ Cardinality(acq[c]) >= 2
  /\ hold' = [hold EXCEPT ![c] = TRUE]
  /\ conf' = [conf EXCEPT ![c] = acq[c]]
  /\ UNCHANGED <<key, done, acq, msgs, snap, todo, E, inR, bad, losses>>

Free(c) == key' = [n \in N |-> IF key[n] = c THEN 0 ELSE key[n]]

Release(c) ==
  /\ ~done[c] /\ (hold[c] \/ acq[c] # {}) /\ ~inR[c]
  /\ Free(c)
  /\ hold' = [hold EXCEPT ![c] = FALSE]
  /\ done' = [done EXCEPT ![c] = TRUE]
  /\ UNCHANGED <<acq, msgs, snap, todo, E, inR, bad, losses, conf>>

Lose(n) ==
  /\ losses < MaxLoss /\ key[n] # 0
  /\ key' = [key EXCEPT ![n] = 0]
  /\ losses' = losses + 1
  /\ UNCHANGED <<hold, done, msgs, snap, todo, E, inR, bad, acq, conf>>

Start(c) ==
  /\ hold[c] /\ ~inR[c]
  /\ inR' = [inR EXCEPT ![c] = TRUE]
  /\ todo' = [todo EXCEPT ![c] = N]
  /\ E' = [E EXCEPT ![c] = {}]
  /\ snap' = [snap EXCEPT ![c] = missed[c]]
  /\ UNCHANGED <<key, hold, done, msgs, bad, losses, acq, conf>>

(* A node extends; or it lacks the key, and is asked for it again; or      *)
(* nothing is heard of it.                                                 *)
Visit(c, n) ==
  /\ inR[c] /\ n \in todo[c]
  /\ todo' = [todo EXCEPT ![c] = @ \ {n}]
  /\ \/ /\ key[n] = c
        /\ E' = [E EXCEPT ![c] = @ \cup {n}]
        /\ UNCHANGED msgs
     \/ /\ key[n] = 0
        /\ msgs' = msgs \cup {[c |-> c, n |-> n]}
        /\ UNCHANGED E
     \/ UNCHANGED <<E, msgs>>
  /\ UNCHANGED <<key, hold, done, snap, inR, bad, losses, acq, conf>>

(* The request arrives.                                                    *)
Deliver(m) ==
  /\ m \in msgs
  /\ msgs' = msgs \ {m}
  /\ key' = [key EXCEPT ![m.n] = IF @ = 0 THEN m.c ELSE @]
  /\ UNCHANGED <<hold, done, snap, todo, E, inR, bad, losses, acq, conf>>

Ok(c) == Cardinality(E[c] \cap conf[c]) >= 2

Finish(c) ==
  /\ inR[c] /\ todo[c] = {}
  /\ inR' = [inR EXCEPT ![c] = FALSE]
  /\ \/ /\ Ok(c)
        /\ bad' = (bad \/ snap[c])
        /\ conf' = [conf EXCEPT ![c] = E[c]]
        /\ UNCHANGED <<key, hold, done>>
     \/ /\ ~Ok(c)
        /\ Free(c)
        /\ hold' = [hold EXCEPT ![c] = FALSE]
        /\ done' = [done EXCEPT ![c] = TRUE]
        /\ conf' = [conf EXCEPT ![c] = {}]
        /\ UNCHANGED bad
  /\ UNCHANGED <<msgs, snap, todo, E, losses, acq>>

Act ==
  \/ \E c \in C : Grant(c) \/ Release(c) \/ Start(c) \/ Finish(c) \/ \E n \in N : AcqStep(c, n) \/ Visit(c, n)
  \/ \E n \in N : Lose(n)
  \/ \E m \in msgs : Deliver(m)

Next == Act /\ missed' = [c \in C |-> hold'[c] /\ (missed[c] \/ \E d \in C \ {c} : Own(key', d))]

(* As in RedlockExtensionSafe.                                             *)
Certificate == ~bad
=============================================================================
