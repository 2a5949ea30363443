---------------------- MODULE RedlockExtensionSyncAdd ----------------------
(***************************************************************************)
(* Renewal over a quorum that takes a key again where it is gone, but lets *)
(* it count later.                                                         *)
(*                                                                         *)
(* Three nodes, two clients, keys that may be lost, as in                  *)
(* RedlockExtensionNaive.  An answer may be lost: then the key is there,   *)
(* and its holder does not know.  A request is not: it takes effect within *)
(* its round, or never.                                                    *)
(*                                                                         *)
(* Safe = FALSE  what was taken again counts at once: refuted.             *)
(* Safe = TRUE   it counts after the next round that succeeds without it.  *)
(*               This holds, as long as requests are never late.  They are *)
(*               on any network: see RedlockExtensionLateAdd.              *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Safe,    \* whether what was taken again counts only later
  MaxLoss  \* how many keys are lost in all

N == {1, 2, 3}
C == {1, 2}

VARIABLES
  key,     \* node -> the client that has it, 0 if none
  hold,    \* client -> whether it believes that it holds the lock
  acq,     \* client -> nodes that granted
  conf,    \* client -> nodes that count
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
  /\ conf = [c \in C |-> {}]
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
  /\ UNCHANGED <<hold, snap, todo, E, R, inR, bad, losses, conf>>

Grant(c) ==
  /\ ~hold[c] /\ Cardinality(acq[c]) >= 2
  /\ hold' = [hold EXCEPT ![c] = TRUE]
  /\ acq' = [acq EXCEPT ![c] = {}]
  /\ conf' = [conf EXCEPT ![c] = acq[c]]
  /\ UNCHANGED <<key, snap, todo, E, R, inR, bad, losses>>

Free(c) == key' = [n \in N |-> IF key[n] = c THEN 0 ELSE key[n]]

Release(c) ==
  /\ (hold[c] \/ acq[c] # {}) /\ ~inR[c]
  /\ Free(c)
  /\ hold' = [hold EXCEPT ![c] = FALSE]
  /\ acq' = [acq EXCEPT ![c] = {}]
  /\ UNCHANGED <<snap, todo, E, R, inR, bad, losses, conf>>

Lose(n) ==
  /\ losses < MaxLoss /\ key[n] # 0
  /\ key' = [key EXCEPT ![n] = 0]
  /\ losses' = losses + 1
  /\ UNCHANGED <<hold, snap, todo, E, R, inR, bad, acq, conf>>

Start(c) ==
  /\ hold[c] /\ ~inR[c]
  /\ inR' = [inR EXCEPT ![c] = TRUE]
  /\ todo' = [todo EXCEPT ![c] = N]
  /\ E' = [E EXCEPT ![c] = {}]
  /\ R' = [R EXCEPT ![c] = {}]
  /\ snap' = [snap EXCEPT ![c] = missed[c]]
  /\ UNCHANGED <<key, hold, bad, losses, acq, conf>>

(* A node extends, or gives the key again and its holder hears of it or    *)
(* not, or says that another has it, or nothing is heard of it.            *)
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
     \/ /\ key[n] = 0
        /\ key' = [key EXCEPT ![n] = c]
        /\ UNCHANGED <<E, R>>
     \/ UNCHANGED <<key, E, R>>
  /\ UNCHANGED <<hold, snap, inR, bad, losses, acq, conf>>

Ok(c) == IF Safe THEN Cardinality(E[c] \cap conf[c]) >= 2 ELSE Cardinality(E[c] \cup R[c]) >= 2

Finish(c) ==
  /\ inR[c] /\ todo[c] = {}
  /\ inR' = [inR EXCEPT ![c] = FALSE]
  /\ \/ /\ Ok(c)
        /\ bad' = (bad \/ snap[c])
        /\ conf' = [conf EXCEPT ![c] = E[c]]
        /\ UNCHANGED <<key, hold>>
     \/ /\ ~Ok(c)
        /\ Free(c)
        /\ hold' = [hold EXCEPT ![c] = FALSE]
        /\ conf' = [conf EXCEPT ![c] = {}]
        /\ UNCHANGED bad
  /\ UNCHANGED <<snap, todo, E, R, losses, acq>>

Act ==
  \/ \E c \in C : Grant(c) \/ Release(c) \/ Start(c) \/ Finish(c) \/ \E n \in N : AcqStep(c, n) \/ Visit(c, n)
  \/ \E n \in N : Lose(n)

Next == Act /\ missed' = [c \in C |-> hold'[c] /\ (missed[c] \/ \E d \in C \ {c} : Own(key', d))]

(* As in RedlockExtensionSafe.                                             *)
Certificate == ~bad
=============================================================================
