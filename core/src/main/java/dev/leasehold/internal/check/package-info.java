/**
 * Checks servers for conditions that endanger locks: the preflight at connect, and the extended health check. It uses
 * plain commands and probes of the scripts, and knows neither engine nor client. Begin to read with {@link
 * dev.leasehold.internal.check.PreflightCheck}, then {@link dev.leasehold.internal.check.Diagnosis}.
 */
@NullMarked
package dev.leasehold.internal.check;

import org.jspecify.annotations.NullMarked;
