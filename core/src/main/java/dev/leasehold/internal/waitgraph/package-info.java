/**
 * Who waits for whom. Redis knows which process holds a lock, and that process knows which of its threads has it and what else that
 * thread waits for: {@link dev.leasehold.internal.waitgraph.WaitInquiry} asks processes over their channels, and {@link
 * dev.leasehold.internal.waitgraph.WaitResponder} answers. Begin to read with {@link
 * dev.leasehold.internal.waitgraph.WaitGraphReader}.
 */
@NullMarked
package dev.leasehold.internal.waitgraph;

import org.jspecify.annotations.NullMarked;
