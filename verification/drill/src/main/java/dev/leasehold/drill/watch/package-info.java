/** The instruments of an operator: alerts and metrics of Prometheus, health, and logs. */
@NullMarked
package dev.leasehold.drill.watch;

import org.jspecify.annotations.NullMarked;
