/** The one class that Spring Boot 3.5 needs otherwise than later versions: its health indicators have moved since. */
@NullMarked
package dev.leasehold.spring.boot3;

import org.jspecify.annotations.NullMarked;
