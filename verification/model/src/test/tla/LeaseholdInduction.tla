------------------------ MODULE LeaseholdInduction ------------------------
(***************************************************************************)
(* Exclusion and the order of tokens, in runs of any length.  Leasehold    *)
(* visits what short runs reach.  Here TLC begins in every state in which  *)
(* Inductive is true, reached or not, takes each step once, and finds it   *)
(* true again; so it stays true for ever, as far as the bounds show.       *)
(*                                                                         *)
(* What the two properties do not need is left out or freer than in        *)
(* Leasehold: messages arrive, are repeated and are lost at any moment, an *)
(* answer may be as old as its lease, and all earlier acquisitions of a    *)
(* client are one.  Durations are what is left of them.  TIME does not     *)
(* step, and gives a token once.                                           *)
(***************************************************************************)
EXTENDS Integers, TLC

CONSTANTS
  Clients,
  Lease,    \* how long a hold lasts after a grant or a renewal
  Horizon,  \* the last TIME
  Without   \* a rule that is not obeyed, for a mutant; else ""

Rules ==
  {"free only",         \* a grant finds no live hold
   "only its holder",   \* a release removes the hold of its own id
   "from the sending",  \* validity counts from the sending of the request
   "above TIME"}        \* a token is at least TIME

ASSUME Without \in Rules \cup {""}
Obeyed(rule) == rule # Without

VARIABLES
  now,      \* TIME
  spent,    \* whether a token was given at this TIME
  hold,     \* the hold in Redis: of which acquisition, and what is left of it
  last,     \* the last token that Redis knows
  client,   \* client -> its state
  given,    \* the highest token under which a client has begun to rely on a lease
  disorder  \* whether one has begun under no higher token, without a loss of its hold

Symmetry == Permutations(Clients)

Tokens == 0..Horizon
Ids == Clients \X {"now", "before"}
NoHold == [id |-> <<"nobody", "now">>, left |-> 0]
NoAnswer == [left |-> 0, token |-> 0]
Max(a, b) == IF a > b THEN a ELSE b
Less(n) == Max(n - 1, 0)

(* phase: whether the client asks for the lock, relies on a lease, or is   *)
(* done with it; left: of the lease, and token: of it; answer: one that    *)
(* may arrive; broken: whether data was lost that these stand for.         *)
Answer == [left : 1..Lease, token : Tokens] \cup {NoAnswer}
States ==
  [phase : {"asks"}, left : {0}, token : {0}, answer : Answer, broken : BOOLEAN]
  \cup [phase : {"holds"}, left : 1..Lease, token : Tokens, answer : Answer, broken : BOOLEAN]
  \cup [phase : {"over"}, left : {0}, token : {0}, answer : {NoAnswer}, broken : {FALSE}]

In(phase) == [phase |-> phase, left |-> 0, token |-> 0, answer |-> NoAnswer, broken |-> FALSE]
IsNow(c) == hold.id = <<c, "now">>

(***************************************************************************)
(* The steps                                                               *)
(***************************************************************************)
Older(answer) ==
  CASE ~Obeyed("from the sending") -> answer
    [] answer.left <= 1 -> NoAnswer
    [] OTHER -> [answer EXCEPT !.left = @ - 1]

Tick ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ spent' = FALSE
  /\ hold' = [hold EXCEPT !.left = Less(@)]
  /\ client' = [c \in Clients |->
       IF client[c].phase = "holds" /\ client[c].left = 1 THEN In("over")
       ELSE [client[c] EXCEPT !.left = Less(@), !.answer = Older(@)]]
  /\ UNCHANGED <<last, given, disorder>>

(* The answer may be lost, or tell less than is left.                      *)
Answers(id, left) ==
  LET c == id[1]
  IN  \/ UNCHANGED client
      \/ /\ id[2] = "now" /\ client[c].phase # "over"
         /\ \E l \in 1..left :
              client' = [client EXCEPT ![c].answer = [left |-> l, token |-> last'],
                                       ![c].broken = @ /\ client[c].phase = "holds"]

(* A repeat finds its own hold.                                            *)
Acquire(id) ==
  /\ IF hold.id = id /\ hold.left > 0 THEN UNCHANGED <<spent, hold, last>> /\ Answers(id, hold.left)
     ELSE /\ hold.left = 0 \/ ~Obeyed("free only")
          /\ ~spent
          /\ spent' = TRUE
          /\ last' = IF Obeyed("above TIME") THEN now ELSE last + 1
          /\ hold' = [id |-> id, left |-> Lease]
          /\ Answers(id, Lease)
  /\ UNCHANGED <<now, given, disorder>>

Renew(id) ==
  /\ hold.id = id /\ hold.left > 0
  /\ hold' = [hold EXCEPT !.left = Lease]
  /\ UNCHANGED <<now, spent, last, given, disorder>>
  /\ Answers(id, Lease)

(* A release comes from a client that no longer relies on the hold.        *)
Release(id) ==
  /\ id[2] = "before" \/ client[id[1]].phase = "over"
  /\ hold.id = id \/ ~Obeyed("only its holder")
  /\ hold' = NoHold
  /\ UNCHANGED <<now, spent, last, client, given, disorder>>

Receive(c) ==
  LET s == client[c]
      begins == s.phase = "asks"
  IN  /\ s.answer # NoAnswer
      /\ client' = [client EXCEPT ![c].phase = "holds", ![c].left = Max(@, s.answer.left),
                                  ![c].token = s.answer.token, ![c].answer = NoAnswer]
      /\ given' = IF begins THEN Max(given, s.answer.token) ELSE given
      /\ disorder' = (disorder \/ (begins /\ ~s.broken /\ s.answer.token <= given))
      /\ UNCHANGED <<now, spent, hold, last>>

GiveUp(c) ==
  /\ client' = [client EXCEPT ![c] = In("over")]
  /\ UNCHANGED <<now, spent, hold, last, given, disorder>>

Begin(c) ==
  /\ client[c].phase = "over"
  /\ client' = [client EXCEPT ![c] = In("asks")]
  /\ hold' = IF IsNow(c) THEN [hold EXCEPT !.id = <<c, "before">>] ELSE hold
  /\ UNCHANGED <<now, spent, last, given, disorder>>

(* A flush, an eviction or a failover: the hold is gone or ends earlier,   *)
(* or one is there again on which nobody relies; except in the second case *)
(* the last token is an earlier one, too.                                  *)
Lose ==
  /\ \/ hold' = NoHold /\ last' \in 0..last
     \/ hold' \in {[hold EXCEPT !.left = left] : left \in 0..hold.left} /\ last' = last
     \/ /\ hold' \in {[id |-> id, left |-> left] : id \in Ids, left \in 0..Lease}
        /\ hold'.id[2] = "before" \/ client[hold'.id[1]].phase = "over"
        /\ last' \in 0..last
  /\ client' = [c \in Clients |-> [client[c] EXCEPT !.broken = @ \/ client[c].left > 0 \/ client[c].answer # NoAnswer]]
  /\ UNCHANGED <<now, spent, given, disorder>>

Next ==
  \/ Tick
  \/ Lose
  \/ \E c \in Clients : Receive(c) \/ GiveUp(c) \/ Begin(c)
  \/ \E id \in Ids : Acquire(id) \/ Renew(id) \/ Release(id)

(***************************************************************************)
(* The invariant                                                           *)
(***************************************************************************)
Relies(c) == client[c].left > 0 /\ ~client[c].broken

Exclusion == \A c, d \in Clients : c # d => ~(Relies(c) /\ Relies(d))
TokensRise == ~disorder

(* A lease that counts as held, or will once its answer arrives, is held   *)
(* in Redis for as long, and has the last token.                           *)
Backed(s) ==
  ~s.broken =>
    /\ s.left > 0 => s.left <= hold.left /\ s.token = last
    /\ s.answer # NoAnswer => s.answer.left <= hold.left /\ s.answer.token = last

(* All tokens are moments that have passed.                                *)
Latest == IF spent THEN now ELSE now - 1
Passed(s) == s.token <= Latest /\ s.answer.token <= Latest

(* Nobody but its own client has begun, or will, under the token of a hold.*)
Unused(c) ==
  client[c].phase = "asks" /\ IsNow(c) /\ hold.left > 0 =>
    /\ given < last
    /\ \A d \in Clients \ {c} : client[d].answer.token < last

Inductive ==
  /\ Exclusion /\ TokensRise
  /\ last <= Latest /\ given <= Latest
  /\ \A c \in Clients :
       /\ Passed(client[c]) /\ Backed(client[c]) /\ Unused(c)
       /\ ~client[c].broken /\ (client[c].left > 0 \/ client[c].answer # NoAnswer) => IsNow(c)

(* The states are enumerated in this order, so that few are in vain.       *)
Init ==
  /\ now \in 1..Horizon
  /\ spent \in BOOLEAN
  /\ last \in 0..Latest
  /\ given \in 0..Latest
  /\ disorder = FALSE
  /\ hold \in [id : Ids, left : 0..Lease] \cup {NoHold}
  /\ client \in [Clients -> {s \in States : Passed(s) /\ Backed(s)}]
  /\ Inductive
===========================================================================
