/** Guards with which a resource refuses a stale holder. What a guard of another kind needs is not required. */
module dev.leasehold.fencing {
    requires static transitive dev.leasehold.core;
    requires static transitive jakarta.servlet;
    requires static transitive org.jspecify;
    requires transitive java.sql;

    exports dev.leasehold.fencing;
}
