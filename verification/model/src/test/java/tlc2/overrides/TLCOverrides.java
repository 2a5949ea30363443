package tlc2.overrides;

import dev.leasehold.model.TraceFile;

/** Names the operators in Java; TLC finds this class by its name. */
public final class TLCOverrides implements ITLCOverrides {

    @SuppressWarnings("rawtypes") // the type of the interface
    @Override
    public Class[] get() {
        return new Class[] {TraceFile.class};
    }
}
