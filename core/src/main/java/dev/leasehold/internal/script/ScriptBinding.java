package dev.leasehold.internal.script;

import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** The script that serves one type of requests. */
interface ScriptBinding<R extends StoreRequest<A>, A> {

    /** Returns the call of the script that sends the request. */
    ScriptCall call(R request);

    /** Reads the reply to that call; throws any unchecked exception if it is not one of this script. */
    A read(R request, List<String> reply);
}
