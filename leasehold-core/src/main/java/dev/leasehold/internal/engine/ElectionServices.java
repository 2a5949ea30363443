package dev.leasehold.internal.engine;

import java.util.concurrent.Executor;

/**
 * What candidates share.
 *
 * @param context whether the client is open, its clocks and its timer
 * @param steps releases a term whose listener does not return
 * @param executor calls the listeners
 */
record ElectionServices(RequestContext context, StepExecutor steps, Executor executor) {}
