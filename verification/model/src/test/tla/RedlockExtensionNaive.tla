----------------------- MODULE RedlockExtensionNaive -----------------------
(***************************************************************************)
(* Refuted: renewal over a quorum that takes a key again where it is gone. *)
(*                                                                         *)
(* Three nodes, two clients, keys that may be lost, as in                  *)
(* RedlockExtensionSafe.  A round asks each node to extend or, if the key  *)
(* is not there, to take it again.                                         *)
(*                                                                         *)
(* Safe = FALSE  both count.  With one lost key a holder takes it again    *)
(*               after another has been granted the lock, has used it and  *)
(*               has released it, and believes that it held throughout.    *)
(* Safe = TRUE   only what was extended counts.  The same with a round     *)
(*               more: what was taken again in one round counts as         *)
(*               extended in the next.                                     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Safe,    \* whether only what was extended counts
  MaxLoss  \* how many keys are lost in all

N == {1, 2, 3}
C == {1, 2}

VARIABLES
  key,     \* node -> the client that has it, 0 if none
  hold,    \* client -> whether it believes that it holds the lock
  acq,     \* client -> nodes that granted
  inR,     \* client -> whether a round is under way
  todo,    \* client -> nodes that the round has still to ask
  E,       \* client -> nodes that extended in this round
  R,       \* client -> nodes where the key was taken again in this round
  missed,  \* client -> whether another had a majority while it held
  snap,    \* client -> the same, when the round began
  bad,     \* whether a round that succeeded hid that from its holder
  losses   \* how many keys were lost

Own(k, c) == Cardinality({n \in N : k[n] = c}) >= 2

Init ==
  /\ key = [n \in N |-> 0]
  /\ hold = [c \in C |-> FALSE]
  /\ acq = [c \in C |-> {}]
  /\ inR = [c \in C |-> FALSE]
  /\ todo = [c \in C |-> {}]
  /\ E = [c \in C |-> {}]
  /\ R = [c \in C |-> {}]
  /\ missed = [c \in C |-> FALSE]
  /\ snap = [c \in C |-> FALSE]
  /\ bad = FALSE
  /\ losses = 0

AcqStep(c, n) ==
  /\ ~hold[c] /\ key[n] = 0
  /\ key' = [key EXCEPT ![n] = c]
  /\ acq' = [acq EXCEPT ![c] = @ \cup {n}]
  /\ UNCHANGED <<hold, snap, todo, E, R, inR, bad, losses>>

Grant(c) ==
  /\ ~hold[c] /\ Cardinality(acq[c]) >= 2
  /\ hold' = [hold EXCEPT ![c] = TRUE]
  /\ acq' = [acq EXCEPT ![c] = {}]
  /\ UNCHANGED <<key, snap, todo, E, R, inR, bad, losses>>

Free(c) == key' = [n \in N |-> IF key[n] = c THEN 0 ELSE key[n]]

Release(c) ==
  /\ (hold[c] \/ acq[c] # {}) /\ ~inR[c]
  /\ Free(c)
  /\ hold' = [hold EXCEPT ![c] = FALSE]
  /\ acq' = [acq EXCEPT ![c] = {}]
  /\ UNCHANGED <<snap, todo, E, R, inR, bad, losses>>

Lose(n) ==
  /\ losses < MaxLoss /\ key[n] # 0
  /\ key' = [key EXCEPT ![n] = 0]
  /\ losses' = losses + 1
  /\ UNCHANGED <<hold, snap, todo, E, R, inR, bad, acq>>

Start(c) ==
  /\ hold[c] /\ ~inR[c]
  /\ inR' = [inR EXCEPT ![c] = TRUE]
  /\ todo' = [todo EXCEPT ![c] = N]
  /\ E' = [E EXCEPT ![c] = {}]
  /\ R' = [R EXCEPT ![c] = {}]
  /\ snap' = [snap EXCEPT ![c] = missed[c]]
  /\ UNCHANGED <<key, hold, bad, losses, acq>>

(* A node extends, or gives the key again, or says that another has it, or *)
(* nothing is heard of it.                                                 *)
Visit(c, n) ==
  /\ inR[c] /\ n \in todo[c]
  /\ todo' = [todo EXCEPT ![c] = @ \ {n}]
  /\ \/ /\ key[n] = c
        /\ E' = [E EXCEPT ![c] = @ \cup {n}]
        /\ UNCHANGED <<key, R>>
     \/ /\ key[n] = 0
        /\ key' = [key EXCEPT ![n] = c]
        /\ R' = [R EXCEPT ![c] = @ \cup {n}]
        /\ UNCHANGED E
     \/ /\ key[n] \notin {0, c}
        /\ UNCHANGED <<key, E, R>>
     \/ UNCHANGED <<key, E, R>>
  /\ UNCHANGED <<hold, snap, inR, bad, losses, acq>>

Ok(c) == IF Safe THEN Cardinality(E[c]) >= 2 ELSE Cardinality(E[c] \cup R[c]) >= 2

Finish(c) ==
  /\ inR[c] /\ todo[c] = {}
  /\ inR' = [inR EXCEPT ![c] = FALSE]
  /\ \/ /\ Ok(c)
        /\ bad' = (bad \/ snap[c])
        /\ UNCHANGED <<key, hold>>
     \/ /\ ~Ok(c)
        /\ Free(c)
        /\ hold' = [hold EXCEPT ![c] = FALSE]
        /\ UNCHANGED bad
  /\ UNCHANGED <<snap, todo, E, R, losses, acq>>

Act ==
  \/ \E c \in C : Grant(c) \/ Release(c) \/ Start(c) \/ Finish(c) \/ \E n \in N : AcqStep(c, n) \/ Visit(c, n)
  \/ \E n \in N : Lose(n)

Next == Act /\ missed' = [c \in C |-> hold'[c] /\ (missed[c] \/ \E d \in C \ {c} : Own(key', d))]

(* As in RedlockExtensionSafe.                                             *)
Certificate == ~bad
=============================================================================
