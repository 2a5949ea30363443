/**
 * Keeps plain locks without Lua, by WATCH, MULTI and EXEC. It uses the transport and the requests of the store. Begin to
 * read with {@link dev.leasehold.internal.scriptfree.ScriptFreeStore}.
 */
@NullMarked
package dev.leasehold.internal.scriptfree;

import org.jspecify.annotations.NullMarked;
