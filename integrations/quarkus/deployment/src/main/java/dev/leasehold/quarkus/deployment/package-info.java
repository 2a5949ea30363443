/** The build steps of the extension. */
@NullMarked
package dev.leasehold.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
