/** Plain locks without Lua: what their scripts do, by WATCH, MULTI and EXEC. */
@NullMarked
package dev.leasehold.internal.scriptfree;

import org.jspecify.annotations.NullMarked;
