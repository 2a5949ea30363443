----------------------------- MODULE TraceLines -----------------------------
(***************************************************************************)
(* The lines of the traces that TLC reads, by operators in Java.           *)
(***************************************************************************)
Traces == 0                \* how many traces there are
Name(number) == ""         \* the name of one
Length(number) == 0        \* how many lines it has
Line(number, n) == [n |-> 0]
=============================================================================
