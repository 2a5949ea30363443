-------------------------- MODULE LeaseholdHistory --------------------------
(***************************************************************************)
(* Checks that a server that obeys docs/protocol.md explains what the      *)
(* processes of a chaos run recorded of one exclusive lock.  They know     *)
(* nothing of the key: they record when they ask, what they learn, until   *)
(* when a lease counts as held, and the driver which faults lose data.     *)
(*                                                                         *)
(* The steps of the server are hidden: it grants, ends and loses holds     *)
(* between two lines.  So a state is the set of all servers that explain   *)
(* the lines so far.  A line that none of them explains is rejected.       *)
(*                                                                         *)
(* A hold ends as late as the next grant needs it, and a grant is made as  *)
(* late as its line needs it, or before data is lost.  An acquisition      *)
(* carries the token and the end that its client learns later, so only the *)
(* order of tokens is tried.  What may have happened and left no trace is  *)
(* free: see MayRefuse, and docs/verification/models.md.                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC, TraceLines

VARIABLES
  trace,     \* the number of the trace
  next,      \* the number of the line that comes next
  servers,   \* the states of the server that explain the lines before it
  examined   \* how many such states there were

vars == <<trace, next, servers, examined>>

Max(a, b) == IF a < b THEN b ELSE a
Ever == 2147483647
Second == 1000000
Retained == Second \div 2      \* a released hold may stay for its client, or the lock be reserved
Patience == 4 * Second         \* an acquire, or its compensation, may arrive so late
Longest == 2 * Second          \* of the leases of a run

(***************************************************************************)
(* asks: the acquisitions whose clients have not learned their outcome.    *)
(* hold: what Redis has.  phase: held, releasing (its client has sent the  *)
(* release), released, lost (its client knows), dead (the client is); until: *)
(* the hold certainly lasts as long, unless it is released or lost; end:   *)
(* it certainly has ended then.                                            *)
(* ghosts: holds that Redis has lost, while their clients may not know;    *)
(* until: their leases end then.                                           *)
(* past: leases that outlive their hold, and whether it was released.      *)
(* last: the highest token.  ahead: how far a token was ahead of the time  *)
(* of its line.  taken: when other holds, of which nobody was told, have   *)
(* ended.  losing: how many faults lose data at the moment; unordered: the *)
(* tokens of what they lost may be given again until then.                 *)
(***************************************************************************)
Nobody == [op |-> "", client |-> "", lease |-> 0, token |-> 0, until |-> 0, end |-> -1, phase |-> "released",
           retains |-> FALSE, again |-> -1]

Server == [asks |-> {}, hold |-> Nobody, ghosts |-> {}, past |-> {}, last |-> 0, ahead |-> Second - Ever,
           taken |-> -1, losing |-> 0, unordered |-> -1]

(***************************************************************************)
(* Hidden steps                                                            *)
(***************************************************************************)
Free(hold, now) == hold.phase \in {"releasing", "released"} \/ hold.until <= now

(* Within a client a hold is also handed on, with what is left of it.      *)
LeaseOf(ask, hold) ==
  IF hold.client = ask.client /\ hold.phase \in {"releasing", "released"} THEN Max(hold.lease, ask.lease) ELSE ask.lease

Grant(s, ask) ==
  [s EXCEPT
    !.asks = @ \ {ask},
    !.hold = [op |-> ask.op, client |-> ask.client, lease |-> LeaseOf(ask, s.hold), token |-> ask.token,
              until |-> ask.until, end |-> Ever, phase |-> "held", retains |-> ask.retains, again |-> -1],
    !.past = IF s.hold.phase \in {"held", "releasing", "lost"}
               THEN @ \cup {[op |-> s.hold.op, client |-> s.hold.client, released |-> s.hold.phase = "releasing"]}
               ELSE @,
    !.last = ask.token]

(* Tokens rise, and are at least TIME, of which only that it runs is known. *)
(* Blocks reserve at most a second of it, so lost data may give them again. *)
InOrder(s, ask, now) ==
  /\ ask.token > s.last - (IF s.losing > 0 \/ now <= s.unordered THEN Second ELSE 0)
  /\ ask.token - ask.at > s.ahead - Second

(* While data is lost, a grant may come before, in the order of tokens.    *)
Grants(s, m) ==
  LET granted == {a \in s.asks : a.outcome = "granted" /\ InOrder(s, a, m.at)}
  IN  {Grant(s, ask) : ask \in {a \in granted :
         /\ Free(s.hold, m.at)
         /\ \/ m.line = "granted" /\ a.token <= m.token
            \/ s.losing > 0 /\ \A b \in granted : a.token <= b.token}}

(* A released hold is used again only by a client that retains it, or to   *)
(* which it is handed on.                                                  *)
Reusable(s, h, now) ==
  h.phase # "released" \/ (h.again >= now /\ (h.retains \/ \E a \in s.asks : a.client = h.client))

(* Nobody renews a hold that is gone: its leases end within one lease.     *)
Losses(s, m) ==
  LET h == s.hold
  IN  IF s.losing = 0 \/ h.phase = "lost" \/ ~Reusable(s, h, m.at) THEN {}
      ELSE {[s EXCEPT !.hold = Nobody,
                      !.ghosts = IF h.phase = "dead" THEN @ ELSE @ \cup {[h EXCEPT !.until = Ever]}]}

RECURSIVE Before(_, _)
Before(some, m) ==
  LET all == some \cup UNION {Grants(s, m) \cup Losses(s, m) : s \in some}
  IN  IF all = some THEN some ELSE Before(all, m)

(***************************************************************************)
(* What a line says of a lease: of the present hold, of a ghost, or of one *)
(* whose hold is over.  Each gives the servers after it, none if it cannot *)
(* be explained.                                                           *)
(***************************************************************************)
IsHolder(s, m) == s.hold.op = m.op
GhostsOf(s, m) == {g \in s.ghosts : g.op = m.op}
PastOf(s, m) == {p \in s.past : p.op = m.op}
AsksOf(s, m) == {a \in s.asks : a.op = m.op}

WithGhost(s, g, h) == [s EXCEPT !.ghosts = (@ \ {g}) \cup {h}]

(* A lease counts as held for at most its length.                          *)
Holds(s, m) ==
  {[s EXCEPT !.hold.until = Max(@, m.until)] :
     h \in {h \in {s.hold} : IsHolder(s, m) /\ h.phase = "held" /\ m.until <= m.at + h.lease}}
  \cup {s : g \in {g \in GhostsOf(s, m) : g.phase = "held" /\ m.until <= g.until}}

(* Recorded late, when the lease is over; or the client uses a hold again  *)
(* that it retains and that Redis has lost.                                *)
Granted(s, m) ==
  (IF IsHolder(s, m) /\ m.token # s.hold.token THEN {} ELSE Holds(s, m))
  \cup {s : p \in {p \in PastOf(s, m) : m.until <= m.at}}
  \cup {[WithGhost(s, g, [g EXCEPT !.op = m.op, !.token = m.token, !.phase = "held"]) EXCEPT !.asks = @ \ AsksOf(s, m)] :
          g \in {g \in s.ghosts : /\ AsksOf(s, m) # {} /\ g.client = m.client /\ g.phase \in {"releasing", "released"}
                                  /\ g.token < m.token /\ m.until <= g.until}}

Releases(s, m) ==
  {[s EXCEPT !.hold.phase = IF @ = "held" THEN "releasing" ELSE @] : h \in {h \in {s.hold} : IsHolder(s, m)}}
  \cup {WithGhost(s, g, [g EXCEPT !.phase = "releasing"]) : g \in GhostsOf(s, m)}
  \cup {s : p \in PastOf(s, m)}

Later(m, lease) == m.at + lease + Patience

(* A release returns also if Redis has not confirmed it: it is repeated.   *)
Released(s, m) ==
  {[s EXCEPT !.hold.phase = "released", !.hold.end = Later(m, h.lease), !.hold.again = m.at + Retained] :
     h \in {h \in {s.hold} : IsHolder(s, m) /\ (h.phase = "releasing" \/ m.failed)}}
  \cup {WithGhost(s, g, [g EXCEPT !.phase = "released", !.again = m.at + Retained]) : g \in GhostsOf(s, m)}
  \cup {[s EXCEPT !.past = @ \ {p}] : p \in {p \in PastOf(s, m) : p.released \/ m.failed}}

(* A lease is lost if its time is over, if Redis has lost it, or if the    *)
(* repetition of its release finds nothing.                                *)
Lost(s, m) ==
  LET kept(p) == IF m.over THEN {} ELSE {p}
      holder == IsHolder(s, m)
  IN  {[s EXCEPT !.hold.phase = "lost", !.hold.end = Later(m, h.lease)] :
         h \in {h \in {s.hold} : holder /\ h.phase # "released" /\ h.until <= m.at}}
      \cup {[s EXCEPT !.ghosts = @ \ {g}, !.past = @ \cup kept([op |-> g.op, client |-> g.client, released |-> FALSE])] :
              g \in GhostsOf(s, m)}
      \cup {[s EXCEPT !.past = (@ \ {p}) \cup kept(p)] : p \in PastOf(s, m)}
      \cup (IF (holder /\ s.hold.phase # "released") \/ GhostsOf(s, m) # {} \/ PastOf(s, m) # {} THEN {} ELSE {s})

(***************************************************************************)
(* What a line says of an acquisition without a lease                      *)
(***************************************************************************)
(* Somebody else has the lock at some moment since the request, as far as  *)
(* anybody can know.                                                       *)
MayRefuse(s, ask) ==
  \/ s.hold.end >= ask.at \/ s.taken >= ask.at \/ s.losing > 0
  \/ \E other \in s.asks : other # ask /\ other.outcome # "busy"

Busy(s, m) == {[s EXCEPT !.asks = @ \ {ask}] : ask \in {a \in AsksOf(s, m) : MayRefuse(s, a)}}

(* It may be granted, and is compensated.                                  *)
Nothing(s, m) ==
  {[s EXCEPT !.asks = @ \ {ask}, !.taken = Max(@, Later(m, ask.lease))] : ask \in AsksOf(s, m)}

Death(s, m) ==
  LET mine == {a \in s.asks : a.client = m.client}
      h == s.hold
  IN  {[s EXCEPT
         !.asks = @ \ mine,
         !.taken = IF mine = {} THEN @ ELSE Max(@, Later(m, Longest)),
         !.hold = IF h.client # m.client THEN h
                  ELSE [h EXCEPT !.phase = IF @ = "held" THEN "dead" ELSE "released", !.end = Later(m, h.lease)],
         !.ghosts = {g \in @ : g.client # m.client},
         !.past = {p \in @ : p.client # m.client}]}

(***************************************************************************)
(* The steps                                                               *)
(***************************************************************************)
Asks(s, m) ==
  {[s EXCEPT !.asks = @ \cup {[op |-> m.op, client |-> m.client, at |-> m.at, lease |-> m.lease, token |-> m.token,
                               until |-> m.until, outcome |-> m.outcome, retains |-> m.retains]}]}

(* What a fault leaves may have been there before, such as a released hold. *)
Over(s, m) ==
  {[s EXCEPT !.losing = @ - 1, !.unordered = m.at + Second, !.taken = Max(@, Later(m, Longest)),
             !.ghosts = {IF g.until = Ever THEN [g EXCEPT !.until = m.at + g.lease] ELSE g : g \in @}]}

After(s, m) ==
  CASE m.line = "asks" -> Asks(s, m)
    [] m.line = "granted" -> {[t EXCEPT !.ahead = Max(@, m.token - m.at)] : t \in Granted(s, m)}
    [] m.line = "holds" -> Holds(s, m)
    [] m.line = "lost" -> Lost(s, m)
    [] m.line = "releases" -> Releases(s, m)
    [] m.line = "released" -> Released(s, m)
    [] m.line = "busy" -> Busy(s, m)
    [] m.line = "nothing" -> Nothing(s, m)
    [] m.line = "death" -> Death(s, m)
    [] m.line = "loses" -> {[s EXCEPT !.losing = @ + 1]}
    [] m.line = "over" -> Over(s, m)

Forgotten(s, now) == [s EXCEPT !.ghosts = {g \in @ : Reusable(s, g, now)}]

Follow(after) ==
  /\ servers' = after
  /\ examined' = examined + Cardinality(after)
  /\ next' = next + 1
  /\ IF next' <= Length(trace) THEN TRUE ELSE PrintT(<<"followed", Name(trace), Length(trace), examined'>>)

Reject(m) ==
  /\ PrintT(<<"rejected", Name(trace), next, m>>)
  /\ next' = Length(trace) + 1
  /\ UNCHANGED <<servers, examined>>

HistoryInit == trace \in 1..Traces /\ next = 1 /\ servers = {Server} /\ examined = 1

HistoryNext ==
  /\ next <= Length(trace)
  /\ LET m == Line(trace, next)
         after == {Forgotten(s, m.at) : s \in UNION {After(s, m) : s \in Before(servers, m)}}
     IN  IF after = {} THEN Reject(m) ELSE Follow(after)
  /\ UNCHANGED trace

HistorySpec == HistoryInit /\ [][HistoryNext]_vars
=============================================================================
