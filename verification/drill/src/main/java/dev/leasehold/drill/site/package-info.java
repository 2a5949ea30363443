/** The servers, the instances and the load of a drill. */
@NullMarked
package dev.leasehold.drill.site;

import org.jspecify.annotations.NullMarked;
