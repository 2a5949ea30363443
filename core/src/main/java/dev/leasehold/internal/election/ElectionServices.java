package dev.leasehold.internal.election;

import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.StepExecutor;
import java.util.concurrent.Executor;

/**
 * The collaborators that all candidates share.
 *
 * @param context whether the client is open, its clocks and its timer
 * @param steps releases a term whose listener does not return
 * @param executor calls the listeners
 */
public record ElectionServices(RequestContext context, StepExecutor steps, Executor executor) {}
