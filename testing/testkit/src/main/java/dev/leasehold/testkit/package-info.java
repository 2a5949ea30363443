/** A real redis-server for tests: started, disturbed and reliably ended from Java, with a JUnit extension. */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
