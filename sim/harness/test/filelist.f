NhgSoc.sv
