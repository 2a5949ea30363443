package dev.leasehold.architecture.reach;

/**
 * Something that a program reaches by a name that no bytecode links.
 *
 * @param owner the type, or empty if the class file does not name it; for a resource, its path; for a proxy, its interfaces
 * @param member the field or method ({@code <init>} for a constructor), or empty
 */
record Access(Kind kind, String owner, String member) {
    enum Kind {
        TYPE,
        FIELD,
        METHOD,
        RESOURCE,
        PROXY
    }

    static Access type(String name) {
        return new Access(Kind.TYPE, name, "");
    }

    static Access field(String owner, String name) {
        return new Access(Kind.FIELD, owner, name);
    }

    static Access method(String owner, String name) {
        return new Access(Kind.METHOD, owner, name);
    }

    static Access resource(String path) {
        return new Access(Kind.RESOURCE, path, "");
    }

    static Access proxy(String interfaces) {
        return new Access(Kind.PROXY, interfaces, "");
    }
}
