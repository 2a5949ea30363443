/** Guards by which a resource refuses a stale holder. The libraries of the single guards are optional. */
module dev.leasehold.fencing {
    requires static transitive dev.leasehold.core;
    requires static transitive jakarta.servlet;
    requires static transitive org.jspecify;
    requires transitive java.sql;

    exports dev.leasehold.fencing;
}
