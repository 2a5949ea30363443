/** Plain locks without Lua: the operations of their scripts, by WATCH, MULTI and EXEC. */
@NullMarked
package dev.leasehold.internal.scriptfree;

import org.jspecify.annotations.NullMarked;
